import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { Progress, ResultOf } from '@/api/types';
import { levelShare } from '@/features/reading-progress/progress/components/Figures';
import * as MyProgressPage from '@/features/reading-progress/progress/pages/MyProgressPage';
import { markRendered } from '@/lib/firstRender';
import { STORED_FLAG } from '@/shared/study/studyFlags';
import { failure, on, server } from '@test/server';

const progressOf = (more: Partial<Progress> = {}): Progress => ({
  isPaid: false,
  numCompleted: 12,
  xp: 120,
  streaks: { currentStreak: 3, bestStreak: 8 },
  skillsNumCompleted: { Philosophy: 10, Science: 2 },
  skills: [
    { category: { id: 2, subid: 'science', name: 'Science', hue: 195 }, count: 2, target: 10, available: 12 },
    { category: { id: 1, subid: 'philosophy', name: 'Philosophy', hue: 265 }, count: 10, target: 10, available: 30 },
  ],
  awards: [
    { name: 'Starter', xp: 50, achieved: true, achievedAt: Date.parse('2026-03-14T12:00:00Z') },
    { name: 'Trailblazer', xp: 100, achieved: true, achievedAt: Date.parse('2026-06-15T12:00:00Z') },
    { name: 'Champ', xp: 500, achieved: false, achievedAt: null },
  ],
  level: 2,
  levelXp: { from: 100, to: 500 },
  today: '2026-06-17',
  days: [
    { day: '2026-05-31', completions: 1 },
    { day: '2026-06-15', completions: 4 },
    { day: '2026-06-17', completions: 2 },
  ],
  pausedDays: ['2026-06-16'],
  ...more,
});

function open() {
  const router = createMemoryRouter([{ path: '/my-progress', ...MyProgressPage }], { initialEntries: ['/my-progress'] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

const figure = async (title: string) => {
  const heading = await screen.findByRole('heading', { name: title });
  if (!heading.parentElement) throw new Error('The heading stands alone.');
  return within(heading.parentElement);
};

let recall: ResultOf<'GET /api/study/recall'>;

beforeEach(() => {
  session.start('token');
  recall = { categories: [], needed: 20 };
  server.use(on('GET /api/study/recall', () => recall));
});

describe('my progress', () => {
  it('outlines the days for which the streak paused, and says how many a month has', async () => {
    server.use(on('GET /api/user-book-history/xp', () => progressOf()));
    open();
    expect(await screen.findByTitle('Tuesday, June 16: your streak paused')).toHaveClass('calendar__day--paused');
    expect(screen.getByTitle('Monday, June 15: 4 readings')).not.toHaveClass('calendar__day--paused');
    expect(screen.getByText('A streak pauses by itself for two missed days a month')).toBeVisible();
  });

  it('shows books, XP, streak and level', async () => {
    server.use(on('GET /api/user-book-history/xp', () => progressOf()));
    open();
    expect((await figure('Books completed')).getByText('12')).toBeVisible();
    expect((await figure('XP')).getByText('120')).toBeVisible();
    expect((await figure('Streak')).getByText('3 days')).toBeVisible();
    expect((await figure('Streak')).getByText('Best: 8 days')).toBeVisible();
    expect((await figure('Level')).getByText('2')).toBeVisible();
    expect(screen.getByText('380 XP')).toBeVisible();
  });

  it('tells which awards were achieved', async () => {
    server.use(on('GET /api/user-book-history/xp', () => progressOf()));
    open();
    await screen.findByRole('heading', { name: 'Achievements' });
    const path = screen.getByRole('heading', { name: 'Achievements' }).parentElement;
    if (!path) throw new Error('The heading stands alone.');
    const [starter, , champ] = within(path).getAllByRole('listitem');
    expect(starter).toHaveTextContent('Starter50 XP, achievedMarch 14, 2026');
    expect(champ).toHaveTextContent('Champ500 XP, not yet380 XP to go');
  });

  it('lists the days of reading by month for screen readers', async () => {
    server.use(on('GET /api/user-book-history/xp', () => progressOf()));
    open();
    const months = within(await screen.findByRole('list', { name: 'By month' })).getAllByRole('listitem');
    expect(months.map((month) => month.textContent)).toEqual(['June 2026: 6 readings on 2 days', 'May 2026: 1 reading on 1 day']);
    expect(screen.getByText('7 readings on 3 days')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Days follow your time zone' })).toHaveAttribute('href', '/account#time-zone');
    expect(screen.getByTitle('Monday, June 15: 4 readings')).toHaveClass('calendar__day--3');
  });

  it('draws a ring for each skill, the fullest first', async () => {
    server.use(on('GET /api/user-book-history/xp', () => progressOf()));
    open();
    const names = (await screen.findAllByRole('heading', { level: 3 })).map((h) => h.textContent);
    expect(names).toEqual(['Philosophy', 'Science']);
    expect(screen.getByText('10 summaries: Acquired')).toBeInTheDocument();
    expect(screen.getByText('2 summaries: 2 of 10')).toBeInTheDocument();
  });

  it('closes the ring of a small category with all that there is', async () => {
    const skill = (id: number, name: string, count: number, available: number) => ({
      category: { id, subid: name.toLowerCase(), name, hue: 60 },
      count,
      target: 10,
      available,
    });
    server.use(on('GET /api/user-book-history/xp', () => progressOf({ skills: [skill(1, 'Nature', 4, 4), skill(2, 'Money', 2, 6)] })));
    open();
    expect(await screen.findByText('4 summaries: All 4 completed')).toBeInTheDocument();
    expect(screen.getByText('2 summaries: 2 of 6')).toBeInTheDocument();
  });

  it('offers the upgrade to members without a plan only', async () => {
    server.use(on('GET /api/user-book-history/xp', () => progressOf()));
    open();
    expect(await screen.findByRole('link', { name: 'Upgrade' })).toHaveAttribute('href', '/try');
  });

  it('does not offer it to paying members', async () => {
    server.use(on('GET /api/user-book-history/xp', () => progressOf({ isPaid: true })));
    open();
    await figure('XP');
    expect(screen.queryByRole('link', { name: 'Upgrade' })).not.toBeInTheDocument();
  });

  it('has a text for members who have read nothing', async () => {
    server.use(on('GET /api/user-book-history/xp', () => progressOf({ numCompleted: 0, xp: 0, skills: [], level: 0 })));
    open();
    expect(await screen.findByText(/^Your first summary/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Find one to read' })).toHaveAttribute('href', '/books');
  });

  it('fails in the words of the specification, and tries again', async () => {
    let tries = 0;
    server.use(on('GET /api/user-book-history/xp', () => (tries++ === 0 ? failure(500, 'internal', 'Broken.') : progressOf())));
    open();
    expect(await screen.findByRole('alert')).toHaveTextContent('There was an error processing your request. Please try again later.');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await figure('XP');
  });
});

describe('recall (study.recall-figures)', () => {
  const PHILOSOPHY = { id: 1, subid: 'philosophy', name: 'Philosophy', hue: 265 };
  const SCIENCE = { id: 2, subid: 'science', name: 'Science', hue: 195 };
  const NATURE = { id: 3, subid: 'nature', name: 'Nature', hue: 150 };
  const loadFailure = () => on('GET /api/study/recall', () => failure(422, 'validation_failed', 'Broken.'));

  beforeEach(() => server.use(on('GET /api/user-book-history/xp', () => progressOf())));

  it('shows for each category how many answers were right, or how many are missing', async () => {
    recall.categories = [
      { category: PHILOSOPHY, right: 37, answers: 43 },
      { category: SCIENCE, right: 5, answers: 7 },
      { category: NATURE, right: 19, answers: 19 },
    ];
    open();
    const list = within(await screen.findByRole('region', { name: 'Recall' }));
    expect((await list.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
      'Philosophy86% of 43 answers',
      'Science13 more answers until this can be told',
      'Nature1 more answer until this can be told',
    ]);
  });

  it('is left out without answers', async () => {
    open();
    await figure('XP');
    await waitFor(() => expect(queryClient.getQueryData(['member', 'study-recall'])).toBeDefined());
    expect(screen.queryByText('Recall')).toBeNull();
  });

  it('has its place while it loads on a device with records', async () => {
    localStorage.setItem(STORED_FLAG, '1');
    let answer = (): void => undefined;
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    server.use(on('GET /api/study/recall', () => isAnswered.then(() => ({ categories: [{ category: SCIENCE, right: 20, answers: 20 }], needed: 20 }))));
    // The first render of a page waits for its data.
    markRendered();
    open();
    expect(await screen.findByText('Loading your recall')).toBeInTheDocument();
    answer();
    expect(await screen.findByText('100% of 20 answers')).toBeVisible();
    expect(screen.queryByText('Loading your recall')).toBeNull();
  });

  it('that could not be loaded leaves the page, and is loaded again', async () => {
    server.use(loadFailure());
    open();
    expect(await screen.findByText('Your recall could not be loaded.')).toBeVisible();
    expect((await figure('XP')).getByText('120')).toBeVisible();
    recall.categories = [{ category: SCIENCE, right: 10, answers: 20 }];
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Your recall could not be loaded.')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Try again' })).not.toHaveAttribute('aria-disabled'));
    server.use(on('GET /api/study/recall', () => recall));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('50% of 20 answers')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Recall' })).toHaveFocus();
  });
});

describe('the share of a level', () => {
  it.each([
    [100, 100, 500, 0],
    [300, 100, 500, 0.5],
    [600, 100, 500, 1],
  ])('with %i XP between %i and %i is %f', (xp, from, to, share) => {
    expect(levelShare({ xp, levelXp: { from, to } })).toBe(share);
  });

  it('is whole on the last level', () => {
    expect(levelShare({ xp: 5000, levelXp: { from: 5000, to: null } })).toBe(1);
  });
});
