import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import * as UnsubscribePage from '@/features/site/pages/UnsubscribePage';
import { openPages, press } from '@test/identity';
import { failure, on, server } from '@test/server';

const openLink = (query = '') => openPages([{ path: '/unsubscribe/:token', ...UnsubscribePage }], `/unsubscribe/0a1b${query}`);

let tokens: string[];
beforeEach(() => {
  tokens = [];
  server.use(
    on('POST /unsubscribe/{token}', ({ request }) => {
      tokens.push(new URL(request.url).pathname);
      return {};
    }),
  );
});

describe('the link of a daily mail', () => {
  it('ends the mails by a button, without a login', async () => {
    openLink();
    const button = await screen.findByRole('button', { name: 'Stop the emails' });
    expect(tokens).toEqual([]);
    await userEvent.click(button);
    const heading = await screen.findByRole('heading', { level: 1, name: 'No more daily emails' });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(tokens).toEqual(['/unsubscribe/0a1b']);
    expect(screen.getByRole('link', { name: 'Go to the challenge' })).toHaveAttribute('href', '/ten-day-challenge');
  });

  it('says that it is none of ours', async () => {
    server.use(on('POST /unsubscribe/{token}', () => failure(404, 'not_found', 'There is no such link.')));
    openLink();
    await press('Stop the emails');
    expect(await screen.findByRole('alert')).toHaveTextContent('This link is incomplete.');
  });

  it.each(['', '?mails=', '?mails=other', '?mails=constructor'])('speaks of the daily emails with the query "%s"', (query) => {
    openLink(query);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Stop the daily emails?');
    expect(screen.getByText('You get one email a day about your ten-day reading plan. Your plan stays as it is when the emails stop.')).toBeVisible();
    expect(document.title).toMatch(/^Stop these emails/);
  });
});

describe('the link of a mail of reminders or highlights (study.notice-links)', () => {
  it.each([
    ['reminder', 'the reminders of due cards', 'No more reminders of due cards'],
    ['digest', 'the emails with your highlights', 'No more emails with your highlights'],
  ])('of %s says which mails end, and where they are turned on again', async (mails, which, done) => {
    openLink(`?mails=${mails}`);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(`Stop ${which}?`);
    expect(screen.queryByText(/daily|ten-day/)).toBeNull();
    await press('Stop the emails');
    const heading = await screen.findByRole('heading', { level: 1, name: done });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(tokens).toEqual(['/unsubscribe/0a1b']);
    expect(screen.getByText(/have stopped\. .* on again in the settings\.$/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to the settings' })).toHaveAttribute('href', '/study-settings');
  });
});
