import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { DeliveryLog } from '@/features/delivery/components/DeliveryLog';
import { openPages } from '@test/identity';
import { on, server } from '@test/server';

describe('the log of what was sent to the e-reader', () => {
  it('names books and the member’s own summaries, and leads to both', async () => {
    session.start('token');
    const sent = { state: 'sent' as const, why: null, at: 1, endedAt: 2 };
    server.use(
      on('GET /api/kindle/deliveries', () => ({
        deliveries: [
          { id: 2, book: null, summary: { id: 7, title: 'On Walden' }, ...sent, state: 'failed' as const, why: 'The mail was refused.' },
          { id: 1, book: { id: 5, subid: 'walden', title: 'Walden', author: 'Thoreau' }, summary: null, ...sent },
        ],
        next: null,
      })),
    );
    openPages([{ path: '/log', Component: DeliveryLog }], '/log');
    expect(await screen.findByRole('link', { name: 'On Walden' })).toHaveAttribute('href', '/ai/7');
    expect(screen.getByRole('link', { name: 'Walden' })).toHaveAttribute('href', '/books/walden');
    const [own, book] = screen.getAllByRole('listitem');
    expect(within(own as HTMLElement).getByRole('button', { name: 'Try again: On Walden' })).toBeVisible();
    expect(within(own as HTMLElement).getByText('The mail was refused.')).toBeVisible();
    expect(within(book as HTMLElement).getByText('Sent')).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent('On Walden: Failed');
  });
});
