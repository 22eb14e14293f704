import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { session } from '@/api/session';
import { ConfirmNotice } from '@/shared/session/ConfirmNotice';
import { failure, on, server } from '@test/server';

const ada = { email: 'ada@example.com', emailConfirmed: false };

it('is hidden from members with a confirmed address, and before the account is known', () => {
  const { rerender } = render(<ConfirmNotice user={undefined} />);
  rerender(<ConfirmNotice user={{ ...ada, emailConfirmed: true }} />);
  expect(screen.queryByRole('complementary')).not.toBeInTheDocument();
});

it('sends the mail again and says where to', async () => {
  session.start('mine');
  server.use(on('POST /api/user/confirm-email/send', () => ({})));
  render(<ConfirmNotice user={ada} />);
  await userEvent.click(screen.getByRole('button', { name: 'Send the email again' }));
  expect(await screen.findByText('The email is on its way to ada@example.com.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Send the email again' })).not.toBeInTheDocument();
});

it('shows the server’s error', async () => {
  session.start('mine');
  server.use(
    on('POST /api/user/confirm-email/send', () => failure(429, 'too_many_tries', 'Too many attempts. Please try again in 40 minutes.', { retryAfter: 2400 })),
  );
  render(<ConfirmNotice user={ada} />);
  await userEvent.click(screen.getByRole('button', { name: 'Send the email again' }));
  expect(await screen.findByText('Too many attempts. Please try again in 40 minutes.')).toBeVisible();
});

it('once dismissed stays hidden until the browser is closed', async () => {
  const { unmount } = render(<ConfirmNotice user={ada} />);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('complementary')).not.toBeInTheDocument();
  unmount();
  render(<ConfirmNotice user={ada} />);
  expect(screen.queryByRole('complementary')).not.toBeInTheDocument();
});
