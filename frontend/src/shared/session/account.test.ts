import { afterEach, describe, expect, it } from 'vitest';
import { hintPaid, hintsPaid } from '@/api/hints';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { accountQuery } from '@/shared/session/account';
import { homeQuery } from '@/shared/catalogue/home';
import { sampleList, sampleUser } from '@test/samples';
import { on, server } from '@test/server';

describe('the hint that a member has a plan', () => {
  afterEach(() => hintPaid(false));

  it.each([true, false])('follows the account: %s', async (isPaid) => {
    session.start('token');
    hintPaid(!isPaid);
    server.use(on('GET /api/user/account', () => ({ user: sampleUser({ isPaid }) })));
    await queryClient.query(accountQuery());
    expect(hintsPaid()).toBe(isPaid);
  });

  it.each([true, false])('follows home: %s', async (isPaid) => {
    session.start('token');
    hintPaid(!isPaid);
    server.use(on('GET /api/books', () => sampleList([], { user: sampleUser({ isPaid }) })));
    await queryClient.query(homeQuery());
    expect(hintsPaid()).toBe(isPaid);
  });
});
