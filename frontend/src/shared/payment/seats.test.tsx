import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { Seats } from '@/shared/payment/Seats';
import { TeamLists } from '@/shared/payment/TeamLists';
import { Toaster } from '@/ui/toast';
import { day } from '@test/membership';
import { failure, on, server } from '@test/server';

const seat = (code: string, more: object = {}) => ({ code, state: 'free' as const, sentTo: null, usedAt: null, boughtAt: day(2998, 3, 14), ...more });
const SEATS = [
  seat('AAAA-1'),
  seat('BBBB-2', { state: 'sent', sentTo: 'bob@example.com' }),
  seat('CCCC-3', { state: 'used', sentTo: 'eve@example.com', usedAt: day(2998, 4, 1) }),
];

function open(seats = SEATS) {
  server.use(on('GET /api/teams/seats', () => ({ seats, used: 1, total: seats.length })));
  render(
    <QueryClientProvider client={queryClient}>
      <Seats />
      <p>the rest of the page</p>
      <Toaster />
    </QueryClientProvider>,
  );
}

beforeEach(() => session.start('token'));

describe('the seats of a team', () => {
  it('say which are used, and by whom they were sent to', async () => {
    open();
    const rows = within(await screen.findByRole('list')).getAllByRole('listitem');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'AAAA-1FreeSend',
      'BBBB-2Sent to bob@example.comSend again',
      'CCCC-3Used on April 1, 2998, sent to eve@example.com',
    ]);
    expect(screen.getByText(/^1 of 3 seats used\./)).toBeVisible();
  });

  it('of a large team are shown on a press', async () => {
    open(Array.from({ length: 25 }, (_, i) => seat(`CODE-${i}`)));
    expect(within(await screen.findByRole('list')).getAllByRole('listitem')).toHaveLength(20);
    await userEvent.click(screen.getByRole('button', { name: 'Show all 25' }));
    expect(within(screen.getByRole('list')).getAllByRole('listitem')).toHaveLength(25);
  });

  it('are copied all at once, without the used ones', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue();
    open();
    const button = await screen.findByRole('button', { name: 'Copy all unused codes' });
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    await userEvent.click(button);
    expect(writeText).toHaveBeenCalledWith('AAAA-1\nBBBB-2');
    expect(await screen.findByText('2 codes copied.')).toBeVisible();
  });

  it('are sent by mail, and then say to whom', async () => {
    let sent: unknown;
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Send AAAA-1' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Send a seat' }));
    server.use(
      on('POST /api/teams/seats/send', ({ body }) => {
        sent = body;
        return {};
      }),
      on('GET /api/teams/seats', () => ({ seats: [seat('AAAA-1', { state: 'sent', sentTo: 'grace@example.com' })], used: 0, total: 1 })),
    );
    await userEvent.type(dialog.getByLabelText('Email'), 'grace@example.com');
    await userEvent.click(dialog.getByRole('button', { name: 'Send the code' }));
    expect(await screen.findByText('The code is on its way to grace@example.com.')).toBeVisible();
    expect(sent).toEqual({ code: 'AAAA-1', email: 'grace@example.com' });
    expect(screen.getByText('Sent to grace@example.com')).toBeVisible();
  });

  describe('by a pasted list', () => {
    const TEAM = [seat('AAAA-1'), seat('BBBB-2'), seat('CCCC-3'), seat('DDDD-4', { state: 'sent', sentTo: 'bob@example.com' })];
    const paste = async (text: string) => {
      open(TEAM);
      await userEvent.click(await screen.findByRole('button', { name: 'Send to a list' }));
      const field = screen.getByLabelText('Email addresses');
      await userEvent.click(field);
      await userEvent.paste(text);
      await userEvent.click(screen.getByRole('button', { name: 'Send the codes' }));
    };

    it('go to each address once', async () => {
      const sent: unknown[] = [];
      server.use(
        on('POST /api/teams/seats/send', ({ body }) => {
          sent.push(body);
          return {};
        }),
      );
      await paste('ada@example.com, grace@example.com\nADA@example.com');
      expect(await screen.findByText('2 codes are on their way.')).toBeVisible();
      expect(sent).toEqual([
        { code: 'AAAA-1', email: 'ada@example.com' },
        { code: 'BBBB-2', email: 'grace@example.com' },
      ]);
    });

    it.each([
      ['ada@example.com nobody, eve@', 'These are not email addresses: nobody, eve@'],
      ['BOB@example.com ada@example.com', 'A seat was already sent to: BOB@example.com'],
      ['a@example.com b@example.com c@example.com d@example.com', 'There are 4 addresses for 3 unused seats. Please leave some out.'],
    ])('are sent to nobody while %j is wrong', async (text, why) => {
      await paste(text);
      expect(await screen.findByRole('alert')).toHaveTextContent(why);
      expect(screen.getByLabelText('Email addresses')).toBeInvalid();
      expect(screen.getByLabelText('Email addresses')).toHaveValue(text);
    });

    it('leave in the field what was refused, and say why', async () => {
      server.use(
        on('POST /api/teams/seats/send', ({ body }) =>
          (body as { email: string }).email === 'eve@example.com' ? failure(429, 'too_many_tries', 'Too many attempts.') : {},
        ),
      );
      await paste('ada@example.com eve@example.com');
      expect(await screen.findByRole('alert')).toHaveTextContent('1 code sent. Not sent: eve@example.com (Too many attempts.)');
      expect(screen.getByLabelText('Email addresses')).toHaveValue('eve@example.com');
    });
  });

  it('that can’t be sent say why, at the field', async () => {
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Send AAAA-1' }));
    server.use(on('POST /api/teams/seats/send', () => failure(422, 'validation_failed', 'Please give an email address.', { field: 'email' })));
    await userEvent.type(screen.getByLabelText('Email'), 'grace@');
    await userEvent.click(screen.getByRole('button', { name: 'Send the code' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Please give an email address.');
    expect(screen.getByLabelText('Email')).toBeInvalid();
  });

  it('are nothing for a member who has bought none', async () => {
    open([]);
    await screen.findByText('the rest of the page');
    await vi.waitFor(() => expect(queryClient.getQueryState(['member', 'seats'])?.status).toBe('success'));
    expect(screen.queryByRole('heading', { name: 'Your seats' })).toBeNull();
  });
});

describe('a list for the team (study.team-lists)', () => {
  const openTeam = (seats: typeof SEATS) => {
    server.use(on('GET /api/teams/seats', () => ({ seats, used: 0, total: seats.length })));
    render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <Seats />
          <TeamLists />
          <p>the rest of the page</p>
        </MemoryRouter>
      </QueryClientProvider>,
    );
  };

  it('is offered to who has bought seats', async () => {
    openTeam(SEATS);
    const offer = within(await screen.findByRole('region', { name: 'Give your team a list' }));
    expect(offer.getByRole('link', { name: 'Your lists' })).toHaveAttribute('href', '/lists');
  });

  it('is not offered when all seats were refunded', async () => {
    openTeam([seat('AAAA-1', { state: 'revoked' as const })]);
    expect(await screen.findByText('AAAA-1')).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Give your team a list' })).toBeNull();
  });
});
