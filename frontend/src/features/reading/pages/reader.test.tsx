import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { Book, Progress } from '@/api/types';
import * as ReaderPage from '@/features/reading/pages/ReaderPage';
import { sampleBook, sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const BODY = '<h3>First idea</h3><p>One.</p><h3>Second idea</h3><p>Two.</p><h4>Aside</h4><h3>Third idea</h3><p>Three.</p>';

const bookOf = (more: Partial<Book> = {}): Book => ({
  ...sampleBook(1),
  authorDesc: 'Wrote.',
  quotes: [],
  goals: [],
  body: BODY,
  truncatedBody: null,
  sections: ['First idea', 'Second idea', 'Third idea'].map((title, place) => ({ title, place })),
  video: null,
  position: 0,
  completed: false,
  isInLibrary: false,
  isPaidUser: true,
  notLoggedIn: false,
  limitReached: false,
  lastFree: false,
  showPremiumContent: true,
  hasRatingsFromUser: false,
  allowance: null,
  course: null,
  courses: [],
  lists: {},
  ...more,
});

const progressOf = (more: Partial<Progress> = {}): Progress => ({
  isPaid: true,
  numCompleted: 5,
  xp: 50,
  streaks: { currentStreak: 2, bestStreak: 4 },
  skillsNumCompleted: {},
  skills: [],
  awards: [
    { name: 'Starter', xp: 50, achieved: true },
    { name: 'Trailblazer', xp: 100, achieved: false },
  ],
  level: 1,
  levelXp: { from: 50, to: 100 },
  ...more,
});

interface Saved {
  position: number;
  completed: boolean;
}

/** Opens the book's page; answers what was asked of the server. */
function open(book: Book, { member = true, address = '/books/book-1', progress = null as Progress | null } = {}) {
  const seen = { opens: 0, saved: [] as Saved[] };
  if (member) session.start('token');
  window.history.replaceState(null, '', address);
  server.use(
    on('GET /api/books/{id}', () => {
      seen.opens += 1;
      return { user: member ? sampleUser() : null, book: { ...book, lastFree: book.lastFree && seen.opens === 1 } };
    }),
    on('PUT /api/user-book-history', ({ body }) => {
      const { position, completed } = body as Saved;
      seen.saved.push({ position, completed });
      return { entry: { bookId: 1, position, completed, at: 0 }, progress: completed ? progress : null };
    }),
  );
  const router = createMemoryRouter(
    [
      { path: '/books/:id', ...ReaderPage },
      { path: '/book-detail/:id', ...ReaderPage, handle: { bare: true } },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: [address] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return seen;
}

const section = (name: string) => screen.findByRole('heading', { level: 2, name });
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

const scrolled = vi.fn();
beforeEach(() => {
  session.end('left');
  window.history.replaceState(null, '', '/');
  scrolled.mockClear();
  Element.prototype.scrollIntoView = scrolled;
  delete document.documentElement.dataset['size'];
});

describe('the full text', () => {
  it('shows one section at a time, with its place among all', async () => {
    open(bookOf());
    await section('First idea');
    expect(screen.getByText('One.')).toBeVisible();
    expect(screen.queryByText('Two.')).not.toBeInTheDocument();
    // Three sections with text and the one for the rating.
    expect(screen.getAllByText('1/4').length).toBeGreaterThan(0);
    expect(screen.getByRole('progressbar', { name: 'Reading progress' })).toHaveAttribute('aria-valuenow', '1');
  });

  it('turns with Next and Previous, saves each place, and moves focus and address along', async () => {
    const { saved } = open(bookOf());
    await section('First idea');
    await press('Next');
    expect(await section('Second idea')).toHaveFocus();
    expect(screen.getByRole('heading', { level: 1, name: 'Book 1' })).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 3, name: 'Aside' })).toBeInTheDocument();
    expect(window.location.search).toBe('?section=2');
    expect(scrolled).toHaveBeenCalled();
    await waitFor(() => expect(saved).toEqual([{ position: 1, completed: false }]));
    await press('Previous');
    await section('First idea');
    await waitFor(() => expect(saved).toHaveLength(2));
    expect(saved[1]).toEqual({ position: 0, completed: false });
  });

  it('turns with the arrow keys and stays within bounds', async () => {
    const { saved } = open(bookOf());
    await section('First idea');
    await userEvent.keyboard('{ArrowLeft}');
    expect(saved).toEqual([]);
    await userEvent.keyboard('{ArrowRight}');
    await section('Second idea');
    await userEvent.keyboard('{ArrowLeft}');
    await section('First idea');
  });

  it('takes up the saved place', async () => {
    const { saved } = open(bookOf({ position: 1 }));
    await section('Second idea');
    expect(saved).toEqual([]);
  });

  it('begins at the first section when the saved place is none', async () => {
    open(bookOf({ position: 12 }));
    await section('First idea');
  });

  it('goes to a section picked from the contents', async () => {
    open(bookOf());
    await section('First idea');
    await press('Contents');
    const panel = screen.getByRole('dialog', { name: 'Contents' });
    expect(within(panel).getByRole('button', { name: /First idea/ })).toHaveAttribute('aria-current', 'true');
    await userEvent.click(within(panel).getByRole('button', { name: /Second idea/ }));
    expect(await section('Second idea')).toHaveFocus();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('cycles through three sizes and remembers', async () => {
    open(bookOf());
    await section('First idea');
    for (const size of ['2', '3', '1']) {
      await press(/^Font size/);
      expect(document.documentElement.dataset['size']).toBe(size);
      expect(localStorage.getItem('pith-font-size')).toBe(size);
    }
  });

  it('darkens the page through the body’s class', async () => {
    document.documentElement.dataset['theme'] = 'light';
    open(bookOf());
    await section('First idea');
    await press('Dark mode');
    expect(document.body).toHaveClass('dark');
    expect(screen.getByRole('button', { name: 'Dark mode' })).toHaveAttribute('aria-pressed', 'true');
    await press('Dark mode');
    expect(document.body).not.toHaveClass('dark');
  });

  it('says that it was the last free one, and goes on saying so when the library changes', async () => {
    const seen = open(bookOf({ lastFree: true, isPaidUser: false, allowance: { left: 0, total: 3 } }));
    expect(await screen.findByText(/last free summary/)).toBeVisible();
    server.use(on('POST /api/library', () => ({ isInLibrary: true })));
    await press('Add to library');
    await screen.findByRole('button', { name: 'Remove from library' });
    expect(screen.getByText(/last free summary/)).toBeVisible();
    expect(seen.opens).toBe(1);
  });

  it('tells how many free ones are left', async () => {
    open(bookOf({ isPaidUser: false, allowance: { left: 2, total: 3 } }));
    expect(await screen.findByText('2 free summaries left of 3')).toBeVisible();
  });

  it('says when a place could not be saved, and saves it when back online', async () => {
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { saved } = open(bookOf());
    await section('First idea');
    server.use(on('PUT /api/user-book-history', () => failure(503, 'busy', 'Busy.', { retryAfter: 1 })));
    await press('Next');
    await waitFor(() => expect(logged).toHaveBeenCalledOnce());
    expect(saved).toEqual([]);
    server.use(
      on('PUT /api/user-book-history', ({ body }) => {
        const { position, completed } = body as Saved;
        saved.push({ position, completed });
        return { entry: { bookId: 1, position, completed, at: 0 }, progress: null };
      }),
    );
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(saved).toEqual([{ position: 1, completed: false }]));
  });
});

describe('the end of a book', () => {
  it('completes it at the last section with text and shows what it brought', async () => {
    const { saved } = open(bookOf({ position: 1 }), { progress: progressOf() });
    await section('Second idea');
    await press('Next');
    const dialog = await screen.findByRole('dialog', { name: 'You have reached the last idea' });
    await waitFor(() => expect(saved).toEqual([{ position: 2, completed: true }]));
    expect(await within(dialog).findByText('+10 for this one')).toBeVisible();
    expect(within(dialog).getByText('2 days')).toBeVisible();
    expect(within(dialog).getByText('A new award: Starter, for 50 XP.')).toBeVisible();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Read the last idea' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.getByText('Three.')).toBeVisible();
  });

  it('is kind about a book that was completed before', async () => {
    open(bookOf({ position: 1, completed: true }));
    await section('Second idea');
    await press('Next');
    expect(await screen.findByText(/You had completed “Book 1” before/)).toBeVisible();
  });

  it('is not announced to visitors, who are asked to join', async () => {
    const { saved } = open(bookOf({ free: true, notLoggedIn: true }), { member: false });
    await section('First idea');
    expect(screen.getAllByText('1/3').length).toBeGreaterThan(0);
    await press('Next');
    await press('Next');
    await section('Third idea');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Liked this one?' })).toBeVisible();
    expect(saved).toEqual([]);
  });
});

describe('the rating form', () => {
  const atForm = async (more: Partial<Book> = {}) => {
    open(bookOf({ completed: true, ...more }), { address: '/books/book-1?section=4' });
    await section('Rate this summary');
  };

  it('needs a star', async () => {
    await atForm();
    await press('Submit rating');
    expect(screen.getByRole('alert')).toHaveTextContent('Please select a rating before submitting!');
  });

  it('counts the feedback to 500 characters and takes no more', async () => {
    await atForm();
    const field = screen.getByLabelText('Feedback (optional)');
    await userEvent.type(field, 'Clear.');
    expect(screen.getByText('6/500')).toBeVisible();
    await userEvent.clear(field);
    await userEvent.click(field);
    await userEvent.paste('x'.repeat(510));
    expect(field).toHaveValue('x'.repeat(500));
  });

  it('sends rating and feedback, thanks, and is gone when the reader turns away', async () => {
    let sent: unknown;
    await atForm();
    server.use(
      on('PUT /api/books/rating/{id}', ({ body }) => {
        sent = body;
        return { rating: { rating: 4, feedback: 'Clear.' } };
      }),
    );
    await userEvent.click(screen.getByRole('radio', { name: '4 stars' }));
    await userEvent.type(screen.getByLabelText('Feedback (optional)'), 'Clear.');
    await press('Submit rating');
    expect(await screen.findByText(/^Thank you\./)).toHaveFocus();
    expect(sent).toMatchObject({ rating: 4, feedback: 'Clear.', subid: 'book-1', bookId: 1 });
    await press('Previous');
    await section('Third idea');
    expect(screen.getAllByText('3/3').length).toBeGreaterThan(0);
    expect(screen.queryByRole('button', { name: 'Next' })).not.toBeInTheDocument();
  });

  it('keeps what was typed when the reader leafs back and returns', async () => {
    await atForm();
    await userEvent.type(screen.getByLabelText('Feedback (optional)'), 'Half a thought');
    await press('Previous');
    await userEvent.click(await screen.findByRole('button', { name: 'Read the last idea' }));
    await press('Next');
    expect(await screen.findByLabelText('Feedback (optional)')).toHaveValue('Half a thought');
  });

  it('says what the server says', async () => {
    await atForm();
    server.use(on('PUT /api/books/rating/{id}', () => failure(403, 'not_opened', 'Open the summary first.')));
    await userEvent.click(screen.getByRole('radio', { name: '1 star' }));
    await press('Submit rating');
    expect(await screen.findByRole('alert')).toHaveTextContent('Open the summary first.');
  });

  it('is not there for who has rated', async () => {
    open(bookOf({ hasRatingsFromUser: true }));
    await section('First idea');
    expect(screen.getAllByText('1/3').length).toBeGreaterThan(0);
  });
});

describe('less than the full text', () => {
  const preview = { body: null, truncatedBody: '<h3>First idea</h3><p>Some of it.</p>', showPremiumContent: false };

  it('shows visitors the beginning and a login paywall, and nothing to turn', async () => {
    open(bookOf({ ...preview, notLoggedIn: true }), { member: false });
    expect(await screen.findByText('Some of it.')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Log in to keep reading' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login?redirect=%2Fbooks%2Fbook-1');
    expect(screen.queryByRole('button', { name: /next|previous/i })).not.toBeInTheDocument();
  });

  it('asks visitors to log in for the library', async () => {
    open(bookOf({ ...preview, notLoggedIn: true }), { member: false });
    await screen.findByText('Some of it.');
    await press('Add to library');
    expect(screen.getByRole('alert')).toHaveTextContent('Please login to access this feature');
  });

  it('offers members at their limit to upgrade', async () => {
    open(bookOf({ ...preview, limitReached: true, isPaidUser: false }));
    expect(await screen.findByRole('link', { name: 'Upgrade' })).toHaveAttribute('href', '/try');
  });

  it('offers a trial when there is no text at all', async () => {
    open(bookOf({ ...preview, truncatedBody: null, isPaidUser: false }));
    expect(await screen.findByRole('heading', { name: 'Start your 3 day free trial' })).toBeVisible();
  });

  it('waits with everybody for a book that is coming soon', async () => {
    open(bookOf({ ...preview, truncatedBody: null, comingSoon: true, sections: [] }));
    expect(await screen.findByRole('heading', { name: 'Coming soon' })).toBeVisible();
  });
});

describe('a book that does not come', () => {
  it('says so, and tries again when asked', async () => {
    session.start('token');
    let opens = 0;
    const seen = open(bookOf());
    server.use(
      on('GET /api/books/{id}', () => {
        opens += 1;
        return opens === 1 ? failure(500, 'internal', 'Broken.') : { user: sampleUser(), book: bookOf() };
      }),
    );
    expect(await screen.findByRole('alert')).toHaveTextContent('There was an error. Please try again later.');
    expect(opens).toBe(1);
    await press('Try again');
    await section('First idea');
    expect(opens).toBe(2);
    expect(seen.opens).toBe(0);
  });
});

it('asks for the book once, whatever happens on the page', async () => {
  const seen = open(bookOf());
  await section('First idea');
  window.dispatchEvent(new Event('focus'));
  document.dispatchEvent(new Event('visibilitychange'));
  window.dispatchEvent(new Event('online'));
  await press('Next');
  await waitFor(() => expect(seen.saved).toHaveLength(1));
  expect(seen.opens).toBe(1);
});
