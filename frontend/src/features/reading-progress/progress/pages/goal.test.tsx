import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { DailyGoal } from '@/features/reading-progress/progress/components/DailyGoal';
import { GoalToday } from '@/shared/goal/GoalToday';
import { countsTime, forgetGoal, goalText, hasGoal, mayHaveGoal, rememberGoal, withOwnTime } from '@/shared/goal/goal';
import type { Goal, GoalState } from '@/shared/goal/goal';
import { changeTime } from '@/shared/readingTime/timeStorage';
import { withTime } from '@/shared/readingTime/countedTime';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const ADA = 7;
const TODAY = '2026-11-28';
const DAYS = ['2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', TODAY];

function stateOf(goal: Goal | null, minutes: number, more: Partial<GoalState> = {}): GoalState {
  const days = DAYS.map((day) => {
    const read = day === TODAY ? { minutes, summaries: 0 } : { minutes: 20, summaries: 1 };
    return { day, ...read, isMet: goal !== null && (goal.unit === 'minutes' ? read.minutes : read.summaries) >= goal.amount };
  });
  return { goal, countsTime: true, today: TODAY, days, ...more };
}

const MINUTES: Goal = { unit: 'minutes', amount: 20 };

function show(element: React.ReactNode) {
  const router = createMemoryRouter([{ path: '/', element }]);
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

const user = sampleUser({ id: ADA });
let state: GoalState;

beforeEach(() => {
  session.start('token');
  localStorage.removeItem('reading-time');
  forgetGoal();
  state = stateOf(MINUTES, 12);
  server.use(
    on('GET /api/user/goal', () => state),
    on('GET /api/user/account', () => ({ user })),
  );
});

describe('the goal on Home (reading-progress.daily-goal)', () => {
  it('says how far today is, and how often it was met', async () => {
    show(<GoalToday user={user} />);
    expect(await screen.findByText('12 of 20 minutes today')).toBeVisible();
    expect(screen.getByText('Goal met on 6 days of the last 7.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Your goal' })).toHaveAttribute('href', '/my-progress#goal');
    expect(hasGoal()).toBe(true);
  });

  it('says that it is met, by summaries too', async () => {
    state = stateOf({ unit: 'summaries', amount: 1 }, 0);
    state = { ...state, days: state.days.map((day) => (day.day === TODAY ? { ...day, summaries: 1, isMet: true } : day)) };
    show(<GoalToday user={user} />);
    expect(await screen.findByText('Goal met today: 1 summary')).toBeVisible();
  });

  it('shows what this device has counted when that is more than the server has', async () => {
    changeTime(ADA, (time) => withTime(time, TODAY, 20 * 60_000 + 5_000, 1, '2026-10-29'));
    show(<GoalToday user={user} />);
    expect(await screen.findByText('Goal met today: 20 minutes')).toBeVisible();
    // Not their sum: the server may have it already. Other days are as the server says.
    expect(withOwnTime(state, 12 * 60 + 59)).toEqual(state);
    expect(withOwnTime(state, 13 * 60).days.at(-1)).toEqual({ day: TODAY, minutes: 13, summaries: 0, isMet: false });
    expect(withOwnTime(state, 13 * 60).days[0]).toBe(state.days[0]);
  });

  it('is not there without a goal', async () => {
    state = stateOf(null, 12);
    show(<GoalToday user={user} />);
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(screen.queryByText(/today/)).toBeNull();
    expect(hasGoal()).toBe(false);
  });
});

it('Home asks a member without a goal once a day, because it may be set on another device', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${TODAY}T12:00:00Z`) });
  try {
    expect([hasGoal(), mayHaveGoal()]).toEqual([false, true]);
    rememberGoal(stateOf(null, 0));
    expect([hasGoal(), mayHaveGoal()]).toEqual([false, false]);
    vi.setSystemTime(Date.parse('2026-11-29T00:00:00Z'));
    expect([hasGoal(), mayHaveGoal()]).toEqual([false, true]);
    rememberGoal(stateOf(MINUTES, 0));
    expect([hasGoal(), mayHaveGoal()]).toEqual([true, true]);
  } finally {
    vi.useRealTimers();
  }
});

describe('the goal on My Progress', () => {
  const openDialog = async (name: string) => {
    show(<DailyGoal />);
    await userEvent.click(await screen.findByRole('button', { name }));
    return within(await screen.findByRole('dialog', { name: 'Daily goal' }));
  };

  it('is set', async () => {
    state = stateOf(null, 0);
    const sent: unknown[] = [];
    server.use(
      on('PUT /api/user/goal', ({ body }) => {
        sent.push(body);
        state = stateOf({ unit: 'summaries', amount: 2 }, 0);
        return state;
      }),
    );
    const dialog = await openDialog('Set a goal');
    expect(dialog.getByRole('radio', { name: 'Minutes' })).toBeChecked();
    expect(dialog.getByLabelText('Minutes a day')).toHaveValue('15');
    expect(dialog.getByRole('checkbox', { name: 'Count my reading time' })).toBeDisabled();
    await userEvent.click(dialog.getByRole('radio', { name: 'Summaries' }));
    await userEvent.click(dialog.getByRole('button', { name: 'One more' }));
    await userEvent.click(dialog.getByRole('checkbox', { name: 'Count my reading time' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('0 of 2 summaries today')).toBeVisible();
    expect(sent).toEqual([{ goal: { unit: 'summaries', amount: 2 }, countsTime: false }]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is given up, and counting switched off', async () => {
    const sent: unknown[] = [];
    server.use(
      on('PUT /api/user/goal', ({ body }) => {
        sent.push(body);
        state = stateOf(null, 12, { countsTime: false });
        return state;
      }),
    );
    const dialog = await openDialog('Change goal');
    expect(dialog.getByLabelText('Minutes a day')).toHaveValue('20');
    await userEvent.click(dialog.getByRole('radio', { name: 'No goal' }));
    await userEvent.click(dialog.getByRole('checkbox', { name: 'Count my reading time' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('button', { name: 'Set a goal' })).toBeVisible();
    expect(sent).toEqual([{ goal: null, countsTime: false }]);
    expect([hasGoal(), countsTime()]).toEqual([false, false]);
  });

  it('shows the server’s refusal at the amount', async () => {
    server.use(on('PUT /api/user/goal', () => failure(422, 'validation_failed', 'Choose from 5 to 180 minutes a day.', { field: 'amount' })));
    const dialog = await openDialog('Change goal');
    const field = dialog.getByLabelText('Minutes a day');
    await userEvent.clear(field);
    await userEvent.type(field, '200');
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('Choose from 5 to 180 minutes a day.')).toBeVisible();
    expect(field).toBeInvalid();
  });
});

it('says a goal in words', () => {
  expect(goalText(MINUTES)).toBe('20 minutes');
  expect(goalText({ unit: 'summaries', amount: 1 })).toBe('1 summary');
});
