import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { pendingSave, storePendingSave } from '@/features/challenge/draft';
import * as ChallengePage from '@/features/challenge/pages/ChallengePage';
import type { Challenge, DraftBook, PlanBook } from '@/features/challenge/queries';
import { saveFile } from '@/lib/saveFile';
import { fill, openPages, press } from '@test/identity';
import { sampleBook, sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

vi.mock('@/lib/saveFile', () => ({ saveFile: vi.fn() }));

const goal = (id: number) => ({
  id,
  title: `Goal ${id}`,
  shortTitle: `Short ${id}`,
  mobileTitle: `Mobile ${id}`,
  desc: `About ${id}.`,
  photo: null,
  photov2: null,
});
const days = (done: number): PlanBook[] => Array.from({ length: 10 }, (_, i) => ({ ...sampleBook(i + 1), dayNo: i + 1, done: i < done }));
/** A plan's books, whose first ones have these kinds of access; the others are included. */
const drawn = (...access: DraftBook['access'][]): DraftBook[] => days(0).map((day, i) => ({ ...day, access: access[i] ?? 'included' }));
const PLAN = { books: drawn(), bookIds: days(0).map(({ id }) => id), userGoalTitles: ['Goal 1'] };

const challenge = (more: Partial<Challenge> = {}): Challenge => ({ goals: [goal(1), goal(2), goal(3)], userGoals: [], userBookRecommendations: [], ...more });
const dailyMail = (hour: number | null) => ({ hasPlan: true, hour, timezone: 'America/New_York' });
const answer = (result: Challenge) => server.use(on('GET /api/goals', () => result));

const open = (address = '/ten-day-challenge') => openPages([{ path: '/ten-day-challenge', ...ChallengePage }], address);
const tick = async (name: string) => userEvent.click(await screen.findByRole('checkbox', { name }));

function signIn() {
  session.start('t');
  server.use(on('GET /api/user/account', () => ({ user: sampleUser() })));
}

beforeEach(() => {
  session.end('left');
  answer(challenge());
  server.use(on('GET /api/user/ten-day-challenge/daily-mail', () => dailyMail(null)));
});

afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
});

describe('the first step', () => {
  it('starts the challenge, or leads a visitor who has started to the login and back', async () => {
    const { at } = open();
    expect(await screen.findByRole('link', { name: 'Already started? Log in to continue' })).toHaveAttribute('href', '/login?redirect=%2Ften-day-challenge');
    await press('Start the Challenge');
    const heading = await screen.findByRole('heading', { level: 1, name: 'What would you like to work on?' });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(at()).toBe('/ten-day-challenge?step=goals');
  });

  it('says in its own words that the network failed', async () => {
    server.use(on('GET /api/goals', () => HttpResponse.error()));
    open();
    expect(await screen.findByText('There was an error processing your request.')).toBeInTheDocument();
  });
});

describe('the second step', () => {
  it('blocks a third goal', async () => {
    open('/ten-day-challenge?step=goals');
    await tick('Goal 1');
    await tick('Goal 2');
    await tick('Goal 3');
    expect(screen.getByRole('alert')).toHaveTextContent('You can only pick two goals.');
    expect(screen.getByRole('checkbox', { name: 'Goal 3' })).not.toBeChecked();
    expect(screen.getByText('2 of 2 picked')).toBeInTheDocument();
    await tick('Goal 1');
    expect(screen.queryByRole('alert')).toBeNull();
    await tick('Goal 3');
    expect(screen.getByRole('checkbox', { name: 'Goal 3' })).toBeChecked();
  });

  it('needs a goal and an address', async () => {
    const asked: unknown[] = [];
    server.use(
      on('POST /api/user/ten-day-challenge', ({ body }) => {
        asked.push(body);
        return PLAN;
      }),
    );
    open('/ten-day-challenge?step=goals');
    const missing = 'Please pick at least one goal and specify an email address.';
    await fill({ Email: 'ada@example.com' });
    await press('Get My Reading Plan');
    expect(screen.getByRole('alert')).toHaveTextContent(missing);
    await tick('Goal 2');
    await userEvent.clear(screen.getByLabelText('Email'));
    await fill({ Email: '  ' });
    await press('Get My Reading Plan');
    expect(screen.getByRole('alert')).toHaveTextContent(missing);
    expect(asked).toEqual([]);
    await fill({ Email: 'ada@example.com' });
    await press('Get My Reading Plan');
    expect(await screen.findByRole('heading', { level: 1, name: 'Your ten days' })).toHaveFocus();
    expect(asked).toEqual([{ goals: [2], email: 'ada@example.com' }]);
  });

  it('shows what the server refuses, at its field, and keeps the choice', async () => {
    server.use(on('POST /api/user/ten-day-challenge', () => failure(422, 'validation_failed', 'Please specify a valid email.', { field: 'email' })));
    open('/ten-day-challenge?step=goals');
    await tick('Goal 1');
    await fill({ Email: 'ada' });
    await press('Get My Reading Plan');
    expect(await screen.findByRole('alert')).toHaveTextContent('Please specify a valid email.');
    expect(screen.getByLabelText('Email')).toBeInvalid();
    expect(screen.getByRole('checkbox', { name: 'Goal 1' })).toBeChecked();
  });

  it('has a member’s address already', async () => {
    signIn();
    open('/ten-day-challenge?step=goals');
    expect(await screen.findByLabelText('Email')).toHaveValue('ada@example.com');
  });
});

describe('the plan', () => {
  const draw = async (books = PLAN.books) => {
    server.use(on('POST /api/user/ten-day-challenge', () => ({ ...PLAN, books })));
    const page = open('/ten-day-challenge?step=goals');
    await tick('Goal 1');
    await userEvent.clear(screen.getByLabelText('Email'));
    await fill({ Email: 'ada@example.com' });
    await press('Get My Reading Plan');
    await screen.findByRole('heading', { name: 'Your ten days' });
    return page;
  };

  it('has ten days with links to their books, the goals and ways to share it', async () => {
    await draw();
    const links = screen.getAllByRole('link', { name: /^Start Reading/ });
    expect(links).toHaveLength(10);
    expect(links[9]).toHaveAttribute('href', '/books/book-10');
    expect(screen.getByText('Day 10')).toBeInTheDocument();
    expect(within(screen.getByRole('list', { name: 'Your goals' })).getByText('Goal 1')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Share by email' }).getAttribute('href')).toContain(encodeURIComponent('/ten-day-challenge'));
    await press('Create New Plan');
    expect(await screen.findByRole('checkbox', { name: 'Goal 1' })).toBeChecked();
  });

  it('says before it is saved which days need a plan', async () => {
    await draw(drawn('included', 'free_summary', 'plan_required', 'plan_required'));
    const textOf = (day: string) => screen.getByText(day).closest('li');
    expect(textOf('Day 1')).toHaveTextContent('Included');
    expect(textOf('Day 2')).toHaveTextContent('Uses one of your free summaries');
    expect(textOf('Day 4')).toHaveTextContent('Needs a plan');
    expect(screen.getByText(/2 of these 10 days need a plan\./)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See plans' })).toHaveAttribute('href', '/pricing');
  });

  it('says nothing of it to who may read every book', async () => {
    await draw();
    expect(screen.queryByText('Included')).toBeNull();
  });

  it('names no plans when free summaries cover the rest', async () => {
    await draw(drawn('included', 'free_summary'));
    expect(screen.getByText('Uses one of your free summaries')).toBeInTheDocument();
    expect(screen.queryByText(/need a plan/)).toBeNull();
  });

  it('of a visitor is kept in the session, and a second later the login comes', async () => {
    const { at } = await draw();
    vi.useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'Save Your Reading Plan' }));
    expect(pendingSave()).toEqual({ goals: [1], bookIds: PLAN.bookIds });
    await act(() => vi.advanceTimersByTimeAsync(999));
    expect(at()).toBe('/ten-day-challenge?step=plan');
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(at()).toBe('/login?redirect=%2Ften-day-challenge');
  });

  it('that waits in the session is saved once when a member opens the page', async () => {
    const saved: unknown[] = [];
    server.use(
      on('POST /api/user/ten-day-challenge-submit', ({ body }) => {
        saved.push(body);
        answer(challenge({ userGoals: [goal(1)], userBookRecommendations: days(0) }));
        return {};
      }),
    );
    signIn();
    storePendingSave({ goals: [1], bookIds: PLAN.bookIds });
    open();
    expect(await screen.findByRole('progressbar', { name: 'Days done' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Save Your Reading Plan' })).toBeNull();
    expect(saved).toEqual([{ goals: [1], bookIds: PLAN.bookIds }]);
    expect(pendingSave()).toBeNull();
  });

  it('of a member is saved by the button; a refusal is shown and the plan stays', async () => {
    signIn();
    server.use(on('POST /api/user/ten-day-challenge-submit', () => failure(422, 'validation_failed', "This plan can't be saved. Please create a new one.")));
    const { at } = await draw();
    await press('Save Your Reading Plan');
    expect(await screen.findByRole('alert')).toHaveTextContent("This plan can't be saved.");
    server.use(
      on('POST /api/user/ten-day-challenge-submit', () => {
        answer(challenge({ userGoals: [goal(1)], userBookRecommendations: days(0) }));
        return {};
      }),
    );
    await press('Save Your Reading Plan');
    await waitFor(() => expect(at()).toBe('/ten-day-challenge'));
    expect(screen.queryByRole('button', { name: 'Save Your Reading Plan' })).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('that is saved says which days are done, and puts the rest into a calendar', async () => {
    signIn();
    answer(challenge({ userGoals: [goal(2)], userBookRecommendations: days(3) }));
    open();
    expect(await screen.findByRole('progressbar', { name: 'Days done' })).toHaveAttribute('aria-valuetext', '3 of 10 days done');
    expect(screen.getAllByRole('link', { name: /^Read Again/ })).toHaveLength(3);
    await press('Add to your calendar');
    const [file, name] = vi.mocked(saveFile).mock.calls[0] ?? [];
    expect(name).toBe('ten-day-challenge.ics');
    expect(((await file?.text()) ?? '').match(/BEGIN:VEVENT/g)).toHaveLength(7);
  });
});

it('shows the pictures of goals, the large one first, and nothing where there is none', async () => {
  answer(
    challenge({
      goals: [{ ...goal(1), photo: '/media/goals/small.jpg', photov2: '/media/goals/large.jpg' }, { ...goal(2), photo: '/media/goals/small.jpg' }, goal(3)],
    }),
  );
  open();
  await press('Start the Challenge');
  const pictureOf = (name: string) => screen.getByRole('checkbox', { name }).parentElement?.querySelector('img') ?? null;
  await screen.findByRole('checkbox', { name: 'Goal 1' });
  expect(pictureOf('Goal 1')).toHaveAttribute('src', '/media/goals/large.jpg');
  expect(pictureOf('Goal 1')).toHaveAttribute('srcset', expect.stringContaining('/media/goals/large.320.webp 320w'));
  expect(pictureOf('Goal 2')).toHaveAttribute('src', '/media/goals/small.jpg');
  expect(pictureOf('Goal 3')).toBeNull();
});

describe('the daily mail of a saved plan', () => {
  const openSaved = async () => {
    signIn();
    answer(challenge({ userGoals: [goal(2)], userBookRecommendations: days(0) }));
    open();
    return screen.findByRole('region', { name: 'One email a day' });
  };

  it('is asked for at an hour, moved to another one, and stopped', async () => {
    const asked: unknown[] = [];
    const section = await openSaved();
    server.use(
      on('PUT /api/user/ten-day-challenge/daily-mail', ({ body }) => {
        asked.push(body);
        return dailyMail((body as { hour: number }).hour);
      }),
      on('DELETE /api/user/ten-day-challenge/daily-mail', () => ({})),
    );
    expect(within(section).getByText(/Your time zone is America\/New York/)).toBeInTheDocument();
    const hours = within(section).getByLabelText('Hour');
    expect(hours).toHaveValue('7');
    await userEvent.selectOptions(hours, '21:00');
    await press('Send me one email a day');
    expect(await within(section).findByText('You will get an email each day at 21:00.')).toHaveAttribute('role', 'status');
    await userEvent.selectOptions(hours, '06:00');
    await press('Change the hour');
    expect(await within(section).findByText('You will get an email each day at 06:00.')).toBeInTheDocument();
    expect(asked).toEqual([{ hour: 21 }, { hour: 6 }]);
    await press('Stop the emails');
    expect(await within(section).findByText('You will not get any more emails.')).toBeInTheDocument();
    expect(within(section).getByRole('heading', { name: 'One email a day' })).toHaveFocus();
    expect(screen.getByRole('button', { name: 'Send me one email a day' })).toBeInTheDocument();
  });

  it('is not offered again by a plan whose days are over', async () => {
    await openSaved();
    server.use(on('PUT /api/user/ten-day-challenge/daily-mail', () => dailyMail(null)));
    await press('Send me one email a day');
    expect(await screen.findByText('This plan is over. Create a new plan to get new emails.')).toBeInTheDocument();
  });

  it('shows a refusal beside the form', async () => {
    await openSaved();
    server.use(on('PUT /api/user/ten-day-challenge/daily-mail', () => failure(404, 'not_found', 'Save a plan first, so that we can email you.')));
    await press('Send me one email a day');
    expect(await screen.findByRole('alert')).toHaveTextContent('Save a plan first, so that we can email you.');
  });

  it('can be tried again when it could not be read', async () => {
    server.use(on('GET /api/user/ten-day-challenge/daily-mail', () => HttpResponse.error()));
    const section = await openSaved();
    server.use(on('GET /api/user/ten-day-challenge/daily-mail', () => dailyMail(5)));
    await userEvent.click(within(section).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Stop the emails' })).toBeInTheDocument();
  });
});
