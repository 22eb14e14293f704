import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { GivenGifts } from '@/shared/payment/GivenGifts';
import { canBeCode, deliveryText } from '@/shared/payment/gifts';
import { day } from '@test/membership';
import { on, server } from '@test/server';

const GIFT = { recipientName: 'Grace', recipientEmail: 'grace@example.com', code: null, deliverAt: day(2998, 12, 24), deliveredAt: null };
let bought = 0;
const given = (gift: object, more: object = {}) => ({
  gift: { ...GIFT, ...gift },
  boughtAt: day(2998, 3, 14) + bought++,
  redeemedAt: null,
  revoked: false,
  suspended: false,
  ...more,
});

beforeEach(() => session.start('token'));

describe('the gifts that a member has given', () => {
  it('say to whom they go, when, and whether they are redeemed', async () => {
    const own = { recipientName: '', recipientEmail: null, code: 'AAAA-1', deliveredAt: day(2998, 3, 14) };
    const gifts = [
      given({}),
      given({ deliveredAt: day(2998, 3, 15) }, { redeemedAt: day(2998, 4, 1) }),
      given(own),
      given(own, { revoked: true }),
      given(own, { suspended: true }),
    ];
    server.use(on('GET /api/gifts', () => ({ gifts })));
    render(
      <QueryClientProvider client={queryClient}>
        <GivenGifts />
      </QueryClientProvider>,
    );
    const rows = within(await screen.findByRole('list')).getAllByRole('listitem');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'We will email it to Grace (grace@example.com) on December 24, 2998.Not redeemed yet. Bought on March 14, 2998',
      'Emailed to Grace (grace@example.com) on March 15, 2998.Redeemed on April 1, 2998',
      'We sent the code to you.AAAA-1Not redeemed yet. Bought on March 14, 2998',
      'We sent the code to you.AAAA-1No longer valid: it was refunded',
      'We sent the code to you.AAAA-1On hold while we check the payment',
    ]);
    expect(screen.getAllByRole('button', { name: 'Copy AAAA-1' })).toHaveLength(1);
  });

  it('are said without what was forgotten', () => {
    expect(deliveryText({ ...GIFT, recipientName: '', recipientEmail: null, deliveredAt: day(2998, 3, 15) })).toBe('Emailed on March 15, 2998.');
    expect(deliveryText({ ...GIFT, recipientName: ' ' })).toBe('We will email it to grace@example.com on December 24, 2998.');
  });

  it('have codes of 16 characters and more', () => {
    expect([canBeCode('ABCDE-FGHJK-LMNPQ-RSTUV'), canBeCode('ABCD-EFGH-JKLM-NPQ'), canBeCode('')]).toEqual([true, false, false]);
  });
});
