import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { Book, Place, Progress } from '@/api/types';
import { setPlayerLoader } from '@/shared/listening/listening';
import type { Start, Track } from '@/shared/listening/listening';
import { VISITOR, deviceId, knownPlace, rememberPlace, unsentPlaces } from '@/shared/positions/places';
import { readerEndChunk } from '@/features/reading-progress/reading/readerEndChunk';
import { ChunkLoadError } from '@/ui/ChunkLoadError';
import * as ReaderPage from '@/features/reading-progress/reading/pages/ReaderPage';
import { sampleBook, sampleList, sampleUser } from '@test/samples';
import { rememberCommitmentsOff } from '@/shared/study/settings';
import { failure, on, server } from '@test/server';
import { sampleChanges } from '@test/study';

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
  hasPodcast: false,
  podcastUrl: null,
  highlights: null,
  listeningMinutes: null,
  vector: null,
  position: 0,
  // Opened before, and left at the beginning. The time of an old position is unknown.
  place: more.position === undefined ? { position: 0, paragraph: null, at: 0, device: null, furthest: 0, audio: null } : null,
  completed: false,
  isInLibrary: false,
  isPaidUser: true,
  notLoggedIn: false,
  limitReached: false,
  lastFree: false,
  showPremiumContent: true,
  hasRatingsFromUser: false,
  ownRating: null,
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
    { name: 'Starter', xp: 50, achieved: true, achievedAt: 0 },
    { name: 'Trailblazer', xp: 100, achieved: false, achievedAt: null },
  ],
  level: 1,
  levelXp: { from: 50, to: 100 },
  today: '2026-06-17',
  pausedDays: [],
  days: [],
  ...more,
});

interface Saved {
  position: number;
  completed: boolean;
}

interface Body extends Saved {
  at: number;
  sent: number;
  device: string;
}

/** A position that another device has saved on the server. */
const elsewhere = (position: number, at: number): Place => ({ position, paragraph: null, at, device: 'another-device', furthest: position, audio: null });

/** Opens the book's page; returns the requests that the server received. */
function open(
  book: Book,
  { member = true, address = '/books/book-1', progress = null as Progress | null, overtakenBy = null as Place | null, next = {} } = {},
) {
  const seen = { opens: 0, saved: [] as Saved[], bodies: [] as Body[] };
  if (member) session.start('token');
  window.history.replaceState(null, '', address);
  server.use(
    on('GET /api/books/{id}', () => {
      seen.opens += 1;
      return { user: member ? sampleUser() : null, book: { ...book, lastFree: book.lastFree && seen.opens === 1 } };
    }),
    on('GET /api/books', () => sampleList([], { user: sampleUser({ isPaid: true }), recommendations: [sampleBook(1), sampleBook(2)], ...next })),
    on('GET /api/study/settings', () => failure(503, 'unavailable', 'Busy.')),
    on('GET /api/user-book-history/{id}', () => ({ completed: book.completed, place: book.place })),
    on('PUT /api/user-book-history', ({ body }) => {
      const { position, completed } = body as Saved;
      const { at, device } = body as Body;
      // Each test is a separate browser: requests still in flight from the previous test are not counted.
      if (device === deviceId()) {
        seen.saved.push({ position, completed });
        seen.bodies.push(body as Body);
      }
      return {
        entry: { bookId: 1, position, completed, at },
        place: overtakenBy ?? { position, paragraph: null, at, device, furthest: position, audio: null },
        progress: completed ? progress : null,
      };
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

/** Reports whether the end of the text is in the viewport: first on arrival, then on scrolling. */
let endIsOnScreen: (is: boolean) => void = () => undefined;

class EndObserver {
  constructor(report: (entries: { isIntersecting: boolean }[]) => void) {
    endIsOnScreen = (isIntersecting) => act(() => report([{ isIntersecting }]));
  }
  observe = () => undefined;
  disconnect = () => undefined;
}

const scrolled = vi.fn();
beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', EndObserver);
  localStorage.clear();
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
    // Three sections with text and the one with the rating.
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

  describe('at a paragraph', () => {
    const TALL = '<h3>First idea</h3><p>One.</p><p>Two.</p><p>Three.</p><h3>Second idea</h3><p>Four.</p>';
    /** Gives the paragraphs a layout, each 400 px high, and returns functions to scroll. */
    const layOut = () => {
      let top = 0;
      vi.spyOn(window, 'scrollBy').mockImplementation((by) => {
        top += (by as ScrollToOptions).top ?? 0;
      });
      vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
        const place = [...document.querySelectorAll('.reader__text p')].indexOf(this) * 400 - top;
        return { top: place, bottom: place + 400 } as DOMRect;
      });
      return {
        scrolledTo: () => top,
        scrollTo: (to: number) => {
          top = to;
          act(() => void window.dispatchEvent(new Event('scroll')));
        },
      };
    };

    it('opens there, and saves the one that is read next when scrolling has come to rest', async () => {
      const page = layOut();
      const place = { ...elsewhere(0, 10), paragraph: 1 };
      const { bodies } = open(bookOf({ body: TALL, place }));
      await section('First idea');
      // The paragraph's first line is below the bar.
      await waitFor(() => expect(page.scrolledTo()).toBe(400 - 72));
      // Repeated: the page starts to listen a moment after it has opened.
      page.scrollTo(820);
      const scrolling = setInterval(() => page.scrollTo(820), 1_600);
      await waitFor(() => expect(bodies.at(-1)).toMatchObject({ position: 0, paragraph: 2, completed: false }), { timeout: 6_000 });
      clearInterval(scrolling);
      expect(knownPlace(7, 1)).toMatchObject({ position: 0, paragraph: 2 });
      // Scrolls up to the page's links and leaves: the position is not lost.
      page.scrollTo(0);
      cleanup();
      expect(knownPlace(7, 1)).toMatchObject({ position: 0, paragraph: 2 });
      await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
      expect(bodies.at(-1)).toMatchObject({ position: 0, paragraph: 2 });
      vi.restoreAllMocks();
    });

    it('opens there for a visitor in the same browser, who sends nothing', async () => {
      rememberPlace(VISITOR, 1, { position: 1, paragraph: 0, at: 10 });
      rememberPlace(VISITOR, 1, { position: 0, paragraph: 2, at: 11 });
      const page = layOut();
      const { saved } = open(bookOf({ body: TALL, free: true, notLoggedIn: true, place: null }), { member: false });
      await section('First idea');
      await waitFor(() => expect(page.scrolledTo()).toBe(800 - 72));
      expect(saved).toEqual([]);
      cleanup();
      vi.restoreAllMocks();
    });
  });

  it('takes up the saved place', async () => {
    const { saved } = open(bookOf({ position: 1 }));
    await section('Second idea');
    expect(saved).toEqual([]);
  });

  it('leaves a line in the history when it is opened for the first time, and only then', async () => {
    const seen = open(bookOf({ place: null }));
    await waitFor(() => expect(seen.saved).toEqual([{ position: 0, completed: false }]));
    await userEvent.click(screen.getByRole('button', { name: 'Next section' }));
    await waitFor(() =>
      expect(seen.saved).toEqual([
        { position: 0, completed: false },
        { position: 1, completed: false },
      ]),
    );
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
        return {
          entry: { bookId: 1, position, completed, at: 0 },
          place: { position, paragraph: null, at: 0, device: deviceId(), furthest: position, audio: null },
          progress: null,
        };
      }),
    );
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(saved).toEqual([{ position: 1, completed: false }]));
  });
});

describe('the end of a book', () => {
  const card = () => screen.findByRole('dialog', { name: 'You have finished this summary' });
  const toLastIdea = async () => {
    await section('Second idea');
    await press('Next');
    await section('Third idea');
    endIsOnScreen(false);
  };

  it('completes it when it comes on the screen, and shows below the text what that brought', async () => {
    const { saved } = open(bookOf({ position: 1 }), { progress: progressOf() });
    await toLastIdea();
    await waitFor(() => expect(saved).toEqual([{ position: 2, completed: false }]));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    endIsOnScreen(true);
    const dialog = await card();
    await waitFor(() => expect(saved.at(-1)).toEqual({ position: 2, completed: true }));
    expect(await within(dialog).findByText('+10 for this one')).toBeVisible();
    expect(within(dialog).getByText('2 days')).toBeVisible();
    expect(within(dialog).getByText('A new award: Starter, for 50 XP.')).toBeVisible();
    // It is part of the page: the text stays readable, and the focus does not move.
    expect(dialog).not.toHaveAttribute('aria-modal');
    expect(screen.getByText('Three.').compareDocumentPosition(dialog) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Third idea' })).toHaveFocus();
    // The button is still there; it now focuses the card and sends nothing more.
    await press('Finish');
    expect(screen.getByRole('heading', { name: 'You have finished this summary' })).toHaveFocus();
    expect(screen.queryByRole('button', { name: 'Finish' })).not.toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Third idea' })).toHaveFocus();
    expect(saved).toHaveLength(2);
  });

  it('completes it by Finish, which leads to the card', async () => {
    const { saved } = open(bookOf({ position: 1 }), { progress: progressOf() });
    await toLastIdea();
    expect(screen.queryByRole('button', { name: 'Next' })).not.toBeInTheDocument();
    await press('Finish');
    await card();
    expect(screen.getByRole('heading', { name: 'You have finished this summary' })).toHaveFocus();
    await waitFor(() => expect(saved.at(-1)).toEqual({ position: 2, completed: true }));
    expect(screen.queryByRole('button', { name: 'Finish' })).not.toBeInTheDocument();
    await press('Rate this summary');
    expect(await section('Rate this summary')).toHaveFocus();
  });

  it('offers to review its key ideas (study.review-cards)', async () => {
    const { saved } = open(bookOf({ position: 1 }), { progress: progressOf() });
    await toLastIdea();
    await press('Finish');
    const dialog = within(await card());
    expect(dialog.getByRole('button', { name: 'Review its key ideas' })).toBeVisible();
    await waitFor(() => expect(saved.at(-1)).toEqual({ position: 2, completed: true }));
  });

  it('asks what the reader will do with the book (study.kept-commitments)', async () => {
    server.use(
      on('GET /api/user/account', () => ({ user: sampleUser() })),
      on('GET /api/study/changes', () => sampleChanges()),
    );
    const { saved } = open(bookOf({ position: 1 }), { progress: progressOf() });
    await toLastIdea();
    await press('Finish');
    expect(await within(await card()).findByRole('textbox', { name: 'What will you do with it?' })).toBeVisible();
    await waitFor(() => expect(saved.at(-1)).toEqual({ position: 2, completed: true }));
  });

  it('asks nothing of a reader who has switched it off (study.study-switches)', async () => {
    rememberCommitmentsOff(true);
    open(bookOf({ position: 1 }), { progress: progressOf() });
    await toLastIdea();
    await press('Finish');
    await card();
    expect(screen.queryByText('What will you do with it?')).toBeNull();
    rememberCommitmentsOff(false);
  });

  it('does not complete it for arriving, through the contents, by a link or by turning on', async () => {
    const { saved } = open(bookOf());
    await section('First idea');
    await press('Contents');
    await userEvent.click(within(screen.getByRole('dialog', { name: 'Contents' })).getByRole('button', { name: /Third idea/ }));
    await section('Third idea');
    // A short text: its end is in the viewport already.
    endIsOnScreen(true);
    await press('Next section');
    await section('Rate this summary');
    await waitFor(() => expect(saved.at(-1)).toEqual({ position: 3, completed: false }));
    expect(saved.some(({ completed }) => completed)).toBe(false);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    cleanup();
    queryClient.clear();
    const { saved: byLink } = open(bookOf(), { address: '/books/book-1?section=3' });
    await section('Third idea');
    endIsOnScreen(true);
    expect(byLink).toEqual([]);
    expect(screen.getByRole('button', { name: 'Finish' })).toBeVisible();
  });

  it('that was on the screen on arrival counts once it is scrolled by hand', async () => {
    const { saved } = open(bookOf(), { address: '/books/book-1?section=3' });
    await section('Third idea');
    endIsOnScreen(true);
    act(() => void window.dispatchEvent(new Event('scroll')));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    act(() => void window.dispatchEvent(new Event('wheel')));
    act(() => void window.dispatchEvent(new Event('scroll')));
    await card();
    await waitFor(() => expect(saved).toEqual([{ position: 2, completed: true }]));
  });

  it('has another text for a book that was completed before', async () => {
    open(bookOf({ position: 1, completed: true }));
    await toLastIdea();
    expect(screen.queryByRole('button', { name: 'Finish' })).not.toBeInTheDocument();
    endIsOnScreen(true);
    expect(await screen.findByText(/You have completed “Book 1” before/)).toBeVisible();
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

describe('the chunk of the end', () => {
  /** Holds the chunk back until the test lets it arrive. */
  const delayed = () => {
    const { load } = readerEndChunk;
    let arrive: () => void = () => undefined;
    const late = new Promise<void>((resolve) => (arrive = resolve));
    vi.spyOn(readerEndChunk, 'load').mockImplementation(() => late.then(load));
    return { load, arrive };
  };

  beforeEach(() => {
    vi.spyOn(readerEndChunk, 'loaded').mockReturnValue(null);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is loaded for members once the text is shown', async () => {
    const load = vi.spyOn(readerEndChunk, 'load');
    open(bookOf());
    await section('First idea');
    expect(load).toHaveBeenCalled();
  });

  it('is not loaded for visitors', async () => {
    const load = vi.spyOn(readerEndChunk, 'load');
    open(bookOf({ free: true, notLoggedIn: true }), { member: false, address: '/books/book-1?section=3' });
    await section('Third idea');
    expect(load).not.toHaveBeenCalled();
  });

  it('is waited for where the book opens at its end', async () => {
    const { load, arrive } = delayed();
    // The first page stays the server's until then; later ones show their skeleton.
    vi.mocked(readerEndChunk.load).mockImplementationOnce(load);
    open(bookOf(), { address: '/books/book-1?section=3' });
    expect(await screen.findByText('Loading the summary')).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Third idea' })).not.toBeInTheDocument();
    vi.mocked(readerEndChunk.loaded).mockRestore();
    arrive();
    await section('Third idea');
    expect(await screen.findByRole('region', { name: 'Books Recommended For You' })).toBeVisible();
  });

  it('arrives below the title that has the focus, and brings the links along', async () => {
    const { arrive } = delayed();
    open(bookOf({ completed: true }));
    await section('First idea');
    await press('Contents');
    await userEvent.click(within(screen.getByRole('dialog', { name: 'Contents' })).getByRole('button', { name: /Rate this summary/ }));
    expect(await section('Rate this summary')).toHaveFocus();
    expect(screen.getByText('Loading the rating form')).toBeInTheDocument();
    expect(screen.queryByRole('navigation', { name: 'Sections' })).not.toBeInTheDocument();
    arrive();
    expect(await screen.findByRole('button', { name: 'Submit rating' })).toBeVisible();
    expect(screen.getByRole('navigation', { name: 'Sections' })).toBeVisible();
    expect(screen.queryByText('Loading the rating form')).not.toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Rate this summary' })).toHaveFocus();
  });

  it('that is not here when Finish is pressed leaves the focus at the title, and gets it when it arrives', async () => {
    const { arrive } = delayed();
    open(bookOf({ position: 1 }));
    await section('Second idea');
    await press('Next');
    await section('Third idea');
    await press('Finish');
    expect(screen.queryByRole('button', { name: 'Finish' })).not.toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Third idea' })).toHaveFocus();
    arrive();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'You have finished this summary' })).toHaveFocus());
  });

  it('that could not be loaded leaves the focus at the title', async () => {
    vi.spyOn(readerEndChunk, 'load').mockResolvedValue({
      CompletionCard: ChunkLoadError,
      NextBooks: () => null,
      OwnRating: ChunkLoadError,
      RatingForm: ChunkLoadError,
    });
    open(bookOf({ position: 1 }));
    await section('Second idea');
    await press('Next');
    await section('Third idea');
    await press('Finish');
    expect(await screen.findByText(/could not be loaded/)).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Third idea' })).toHaveFocus();
  });
});

describe('what to read next', () => {
  const shelf = () => screen.findByRole('region', { name: 'Books Recommended For You' });
  const offered = async () =>
    (await within(await shelf()).findAllByRole('article')).map((card) => [
      within(card).getByRole('heading').textContent,
      within(card).queryByText('With a plan') !== null,
    ]);
  const recommendations = [sampleBook(1), sampleBook(2), sampleBook(3, { free: true }), sampleBook(4), sampleBook(5, { comingSoon: true })];

  it('is offered where the text ends, and not before', async () => {
    open(bookOf({ position: 1, completed: true }), { next: { recommendations } });
    await section('Second idea');
    expect(screen.queryByRole('heading', { name: 'Books Recommended For You' })).not.toBeInTheDocument();
    await press('Next');
    // Neither the book that was read nor coming-soon books.
    expect(await offered()).toEqual([
      ['Book 2', false],
      ['Book 3', false],
      ['Book 4', false],
    ]);
    await press('Next');
    await section('Rate this summary');
    expect(within(await shelf()).getByRole('link', { name: 'Book 2' })).toHaveAttribute('href', '/books/book-2');
    await press('Previous');
    await press('Previous');
    await section('Second idea');
    expect(screen.queryByRole('heading', { name: 'Books Recommended For You' })).not.toBeInTheDocument();
  });

  it('stands below what a completion has brought, one book', async () => {
    open(bookOf({ position: 1 }), { progress: progressOf(), next: { recommendations } });
    await section('Second idea');
    await press('Next');
    await press('Finish');
    const dialog = await screen.findByRole('dialog', { name: 'You have finished this summary' });
    expect(await within(dialog).findByRole('link', { name: 'Book 2' })).toHaveAttribute('href', '/books/book-2');
    expect(within(dialog).getByText('Recommended for you')).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Books Recommended For You' })).not.toBeInTheDocument();
  });

  it.each([
    [
      1,
      '1 free summary left of 3',
      [
        ['Book 2', false],
        ['Book 3', false],
        ['Book 4', false],
      ],
    ],
    // Books that the member can open come first: free ones, and those opened before.
    [
      0,
      'You have read your free summaries. Upgrade to read without limits',
      [
        ['Book 3', false],
        ['Book 4', false],
        ['Book 2', true],
      ],
    ],
  ])('tells a member with %i free summaries left what opens with a plan only', async (left, told, books) => {
    server.use(on('GET /api/user/allowance', () => ({ allowance: { left, total: 3 }, opened: [1, 4] })));
    open(bookOf({ completed: true, isPaidUser: false }), { address: '/books/book-1?section=4', next: { user: sampleUser(), recommendations } });
    expect(await offered()).toEqual(books);
    expect(await shelf()).toHaveTextContent(told);
  });

  it('is left out when it can’t be loaded', async () => {
    open(bookOf({ completed: true }), { address: '/books/book-1?section=4' });
    server.use(on('GET /api/books', () => failure(503, 'busy', 'Too busy right now.')));
    await section('Rate this summary');
    await waitFor(() => expect(screen.queryByText('Loading recommendations')).not.toBeInTheDocument());
    expect(screen.queryByRole('heading', { name: 'Books Recommended For You' })).not.toBeInTheDocument();
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
    await section('Third idea');
    await press('Next');
    expect(await screen.findByLabelText('Feedback (optional)')).toHaveValue('Half a thought');
  });

  it('shows the server’s error', async () => {
    await atForm();
    server.use(on('PUT /api/books/rating/{id}', () => failure(403, 'not_opened', 'Open the summary first.')));
    await userEvent.click(screen.getByRole('radio', { name: '1 star' }));
    await press('Submit rating');
    expect(await screen.findByRole('alert')).toHaveTextContent('Open the summary first.');
  });

  it('is replaced by one’s own rating, which can be changed and taken back', async () => {
    open(bookOf({ completed: true, hasRatingsFromUser: true, ownRating: { rating: 4, feedback: 'Clear.' } }), { address: '/books/book-1?section=3' });
    const own = await screen.findByRole('region', { name: 'Your rating' });
    expect(own).toHaveTextContent('You gave this summary 4 stars.');
    expect(own).toHaveTextContent('Clear.');
    server.use(
      on('PUT /api/books/rating/{id}', ({ body }) => ({ rating: { rating: (body as { rating: number }).rating, feedback: 'Clear.' } })),
      on('DELETE /api/books/rating/{id}', () => ({ hasRatingsFromUser: false })),
    );
    await press('Change');
    expect(screen.getByLabelText('Feedback (optional)')).toHaveValue('Clear.');
    await userEvent.click(screen.getByRole('radio', { name: '5 stars' }));
    await press('Submit rating');
    expect(await screen.findByText(/You gave this summary 5 stars\./)).toBeVisible();
    await press('Remove');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Your rating' })).not.toBeInTheDocument());
    // The book can be rated again.
    expect(screen.getAllByText('3/4').length).toBeGreaterThan(0);
  });

  it('is hidden from members who have rated', async () => {
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
    expect(screen.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login?redirect=%2Fbooks%2Fbook-1');
    expect(screen.queryByRole('button', { name: /next|previous/i })).not.toBeInTheDocument();
  });

  it.each([
    { listeningMinutes: 10, lengths: ['13 min to read', '10 min to listen'] },
    { listeningMinutes: null, lengths: ['13 min'] },
  ])('says how long it takes to read and to listen: $lengths', async ({ listeningMinutes, lengths }) => {
    open(bookOf({ ...preview, minutes: 13, listeningMinutes, notLoggedIn: true }), { member: false });
    await screen.findByText('Some of it.');
    expect(screen.getAllByText(/^\d+ min/).map(({ textContent }) => textContent)).toEqual(lengths);
  });

  it('asks visitors to log in for the library', async () => {
    open(bookOf({ ...preview, notLoggedIn: true }), { member: false });
    await screen.findByText('Some of it.');
    await press('Add to library');
    expect(screen.getByRole('alert')).toHaveTextContent(/^Please login to access this feature$/);
  });

  it.each([true, false])('offers members alone to put the book on a list, member: %s (study.list-pages)', async (member) => {
    open(bookOf({ ...preview, notLoggedIn: !member }), { member });
    await screen.findByText('Some of it.');
    expect(screen.queryByRole('button', { name: 'Add to list' }) !== null).toBe(member);
  });

  it('offers members at their limit to upgrade', async () => {
    open(bookOf({ ...preview, limitReached: true, isPaidUser: false }));
    expect(await screen.findByRole('link', { name: 'Upgrade' })).toHaveAttribute('href', expect.stringMatching(/^\/try\?redirect=%2F/));
  });

  it.each([
    { friendEmail: null, text: /^Your next free summary comes on \w+ 1\. Invite a friend to get one more before that\.$/, links: 1 },
    { friendEmail: 'bob@example.com', text: /^Your next free summary comes on \w+ 1\.$/, links: 0 },
  ])('tells members at their limit what brings one more, friend invited: $friendEmail', async ({ friendEmail, text, links }) => {
    server.use(on('GET /api/user/account', () => ({ user: sampleUser({ friendEmail }) })));
    open(bookOf({ ...preview, limitReached: true, isPaidUser: false }));
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryAllByRole('link', { name: 'Invite a friend' })).toHaveLength(links);
  });

  it('offers a trial when there is no text at all', async () => {
    open(bookOf({ ...preview, truncatedBody: null, isPaidUser: false }));
    expect(await screen.findByRole('heading', { name: 'Start your 3 day free trial' })).toBeVisible();
  });

  it('says that a book is coming soon, to all viewers', async () => {
    open(bookOf({ ...preview, truncatedBody: null, comingSoon: true, sections: [] }));
    expect(await screen.findByRole('heading', { name: 'Coming soon' })).toBeVisible();
  });

  it('that is coming soon leads a visitor who wants a notice to log in and back', async () => {
    open(bookOf({ ...preview, truncatedBody: null, comingSoon: true, sections: [], notLoggedIn: true }), { member: false });
    expect(await screen.findByRole('link', { name: 'Notify me' })).toHaveAttribute('href', expect.stringMatching(/^\/login\?redirect=/));
  });

  it('that is coming soon is announced to a member who asks, until the member takes it back', async () => {
    const asked: string[] = [];
    server.use(
      on('GET /api/user/notices', () => ({ books: [7] })),
      on('POST /api/user/notices', ({ body }) => {
        asked.push(JSON.stringify(body));
        return { isRequested: true };
      }),
      on('DELETE /api/user/notices/{id}', ({ request }) => {
        asked.push(new URL(request.url).pathname);
        return { isRequested: false };
      }),
    );
    const book = bookOf({ ...preview, truncatedBody: null, comingSoon: true, sections: [] });
    open(book);
    const button = await screen.findByRole('button', { name: 'Notify me' });
    await waitFor(() => expect(button).not.toHaveAttribute('aria-disabled'));
    await userEvent.click(button);
    expect(await screen.findByText(/^You will get one email when this summary is ready\./)).toBeVisible();
    expect(button).toHaveAttribute('aria-pressed', 'true');
    await userEvent.click(button);
    await waitFor(() => expect(button).toHaveAttribute('aria-pressed', 'false'));
    expect(asked).toEqual([JSON.stringify({ bookId: book.id }), `/api/user/notices/${book.id}`]);
  });
});

describe('a book that reading would take a free summary for', () => {
  const closed = { body: null, truncatedBody: '<h3>First idea</h3><p>Some of it.</p>', showPremiumContent: false, isPaidUser: false };
  const allowance = (left: number) => ({ allowance: { left, total: 3 } });

  /** Opens the page of a locked book; counts the calls that use the allowance. */
  const openClosed = (more: Partial<Book> = {}, address?: string) => {
    const seen = { shown: 0, taken: 0 };
    open(bookOf({ ...closed, ...allowance(3) }), address ? { address } : {});
    server.use(
      on('GET /api/books/{id}', ({ request }) => {
        const taking = new URL(request.url).searchParams.get('preview') !== 'true';
        seen[taking ? 'taken' : 'shown'] += 1;
        const book = taking
          ? bookOf({ ...closed, ...allowance(2), body: BODY, truncatedBody: null, showPremiumContent: true })
          : bookOf({ ...closed, ...allowance(3), ...more });
        return { user: sampleUser(), book };
      }),
    );
    return seen;
  };

  it.each(['/books/book-1', '/books/book-1?section=2', '/book-detail/book-1'])('shows the beginning and takes nothing, at %s', async (address) => {
    const seen = openClosed({}, address);
    expect(await screen.findByText('Some of it.')).toBeVisible();
    window.dispatchEvent(new Event('focus'));
    window.dispatchEvent(new Event('online'));
    expect(screen.getAllByRole('button', { name: 'Read · uses 1 of 3 free' })).toHaveLength(2);
    expect(screen.queryByRole('button', { name: /next|previous/i })).not.toBeInTheDocument();
    expect(seen).toEqual({ shown: 1, taken: 0 });
  });

  it('opens by a press, once, and the text takes the focus', async () => {
    const seen = openClosed();
    const [read] = await screen.findAllByRole('button', { name: 'Read · uses 1 of 3 free' });
    if (read) await userEvent.dblClick(read);
    expect(await section('First idea')).toHaveFocus();
    expect(screen.getByText('2 free summaries left of 3')).toBeVisible();
    expect(seen).toEqual({ shown: 1, taken: 1 });
  });

  it('says when opening failed, and stays as it was', async () => {
    const seen = openClosed();
    const [read] = await screen.findAllByRole('button', { name: /^Read/ });
    server.use(on('GET /api/books/{id}', () => failure(500, 'internal', 'Broken.')));
    if (read) await userEvent.click(read);
    expect(await screen.findByRole('alert')).toHaveTextContent('Broken.');
    expect(screen.getByText('Some of it.')).toBeVisible();
    expect(seen.taken).toBe(0);
  });

  it('says that it would be the last one', async () => {
    openClosed(allowance(1));
    expect(await screen.findByText(/uses your last free one/)).toBeVisible();
    expect(screen.getAllByRole('button', { name: 'Read · uses 1 of 1 free' })).toHaveLength(2);
  });

  it('says after the allowance ended that none is left', async () => {
    const seen = openClosed({ ...allowance(0), limitReached: true });
    await userEvent.click(await screen.findByRole('button', { name: 'Read · no free summaries left' }));
    expect(seen).toEqual({ shown: 1, taken: 0 });
  });
});

describe('a book that fails to load', () => {
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

it('fetches the book once, whatever happens on the page', async () => {
  const seen = open(bookOf());
  await section('First idea');
  window.dispatchEvent(new Event('focus'));
  document.dispatchEvent(new Event('visibilitychange'));
  window.dispatchEvent(new Event('online'));
  await press('Next');
  await waitFor(() => expect(seen.saved).toHaveLength(1));
  expect(seen.opens).toBe(1);
});

describe('the last section', () => {
  it('ends in a recap, whose ideas lead to their sections (catalogue.summary-recap)', async () => {
    open(bookOf({ position: 2 }));
    const recap = await screen.findByRole('navigation', { name: 'The key ideas in short' });
    expect(
      within(recap)
        .getAllByRole('button')
        .map((idea) => idea.textContent),
    ).toEqual(['1First idea', '2Second idea', '3Third idea']);
    await userEvent.click(within(recap).getByRole('button', { name: /Second idea/ }));
    expect(await screen.findByRole('heading', { name: 'Second idea' })).toHaveFocus();
    expect(screen.queryByRole('navigation', { name: 'The key ideas in short' })).toBeNull();
  });

  it('has no recap where a single heading would be repeated', async () => {
    open(bookOf({ body: '<p>Before.</p><h3>Only idea</h3><p>One.</p>', sections: [], position: 1 }));
    expect(await screen.findByRole('heading', { name: 'Only idea' })).toBeInTheDocument();
    expect(screen.queryByRole('navigation', { name: 'The key ideas in short' })).toBeNull();
  });

  it('of a finished book is replaced by the first one, without a save', async () => {
    rememberPlace(7, 1, { position: 2, at: 10 });
    const { saved } = open(bookOf({ completed: true, position: 2, place: elsewhere(2, 10) }));
    await section('First idea');
    expect(screen.getByText('You have finished this summary. Reading again from the beginning.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Read again' })).toBeVisible();
    await press('Next');
    await section('Second idea');
    await waitFor(() => expect(saved).toEqual([{ position: 1, completed: false }]));
  });
});

describe('listening', () => {
  const opened = vi.fn();
  const tracks: Track[] = [];
  const listen = () => press('Listen');
  beforeEach(() => {
    opened.mockClear();
    tracks.length = 0;
    const none = () => undefined;
    const open = (track: Track, start: Start) => {
      tracks.push(track);
      opened(start);
    };
    const rest = {
      play: none,
      pause: none,
      toggle: none,
      seek: none,
      skip: none,
      step: none,
      cycleSpeed: none,
      setSpeed: none,
      stepSpeed: none,
      toggleMute: none,
      setSleep: none,
      retry: none,
      close: none,
    };
    setPlayerLoader(() => Promise.resolve({ ...rest, open }));
  });

  it('starts over at the last section of a book that has ended, and plays that section in any other', async () => {
    HTMLMediaElement.prototype.load = () => undefined;
    const heard = (audio: number) => bookOf({ hasMedia: true, completed: true, position: 2, place: { ...elsewhere(2, 10), audio } });
    open(heard(0), { address: '/books/book-1?section=3' });
    await section('Third idea');
    await listen();
    await waitFor(() => expect(opened).toHaveBeenCalledWith({ at: 0 }));
    cleanup();
    queryClient.clear();
    open(heard(7000), { address: '/books/book-1?section=3' });
    await section('Third idea');
    await listen();
    await waitFor(() => expect(opened).toHaveBeenLastCalledWith({ section: 2, chosen: false, saved: 7 }));
  });

  it('plays the podcast about the book in the player that stays', async () => {
    HTMLMediaElement.prototype.load = () => undefined;
    open(bookOf({ hasPodcast: true }));
    await section('First idea');
    await press('Play the podcast');
    await waitFor(() => expect(opened).toHaveBeenCalledWith({}));
    expect(tracks).toMatchObject([{ bookId: null, subid: 'book-1', isAboutBook: true, file: null, title: 'Podcast: Book 1' }]);
  });

  it('has no button for the podcast without one, nor for who may not hear it', async () => {
    open(bookOf());
    await section('First idea');
    expect(screen.queryByRole('button', { name: 'Play the podcast' })).toBeNull();
    cleanup();
    queryClient.clear();
    open(bookOf({ hasPodcast: true, showPremiumContent: false, body: null, truncatedBody: '<h3>First idea</h3><p>The beginning.</p>' }));
    await screen.findByText('The beginning.');
    expect(screen.queryByRole('button', { name: 'Play the podcast' })).toBeNull();
  });
});

describe('the drawing of a book', () => {
  it('is shown as a picture, in which nothing runs', async () => {
    open(
      bookOf({
        vector: '/media/covers/book-1-vector-1a.svg',
        showPremiumContent: false,
        body: null,
        truncatedBody: '<h3>First idea</h3><p>The beginning.</p>',
      }),
    );
    const drawing = await screen.findByRole('img', { name: 'A drawing of what “Book 1” is about' });
    expect(drawing).toHaveAttribute('src', '/media/covers/book-1-vector-1a.svg');
  });
});

describe('on several devices', () => {
  const asked = (title: string) => screen.findByText(title);
  /** The reader comes back to the page. Repeated: the page starts to listen a moment after it has its first section. */
  const comesBackUntilAsked = (title: string) =>
    waitFor(() => {
      window.dispatchEvent(new Event('focus'));
      expect(screen.getByText(title)).toBeVisible();
    });

  it('sends each place with its time and device', async () => {
    const { bodies } = open(bookOf());
    await section('First idea');
    await press('Next');
    await press('Next');
    await waitFor(() => expect(bodies).toHaveLength(2));
    const [first, second] = bodies;
    expect(first?.device).toBe(deviceId());
    expect(Math.abs((first?.sent ?? 0) - Date.now())).toBeLessThan(10_000);
    expect(second?.at ?? 0).toBeGreaterThan(first?.at ?? 0);
    expect(knownPlace(7, 1)).toEqual({ position: 2, at: second?.at });
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
  });

  it('follows another device forwards, says so, and leads back', async () => {
    rememberPlace(7, 1, { position: 0, at: 10 });
    const { saved } = open(bookOf({ position: 1, place: elsewhere(1, 20) }));
    await section('Second idea');
    expect(await asked('Continued from your other device')).toBeVisible();
    await press('Go back');
    await section('First idea');
    expect(screen.queryByText('Continued from your other device')).not.toBeInTheDocument();
    await waitFor(() => expect(saved).toEqual([{ position: 0, completed: false }]));
  });

  it('is never moved backwards without a question', async () => {
    rememberPlace(7, 1, { position: 1, at: 10 });
    const { saved } = open(bookOf({ position: 0, place: elsewhere(0, 20) }));
    await section('Second idea');
    expect(await asked('You are at a different place on another device')).toBeVisible();
    await press('Stay here');
    expect(screen.queryByText('You are at a different place on another device')).not.toBeInTheDocument();
    await waitFor(() => expect(saved).toEqual([{ position: 1, completed: false }]));
  });

  it('asks when the reader comes back to the page, and goes there on demand only', async () => {
    open(bookOf());
    server.use(on('GET /api/user-book-history/{id}', () => ({ completed: false, place: elsewhere(1, Date.now() + 60_000) })));
    await section('First idea');
    await comesBackUntilAsked('You are further along on another device');
    expect(screen.getByText('Key idea 2: Second idea')).toBeVisible();
    expect(screen.getByRole('heading', { level: 2, name: 'First idea' })).toBeVisible();
    await press('Go there');
    await section('Second idea');
    expect(screen.queryByText('You are further along on another device')).not.toBeInTheDocument();
  });

  it('does not ask the same twice', async () => {
    open(bookOf());
    let looked = 0;
    const there = elsewhere(1, Date.now() + 60_000);
    server.use(
      on('GET /api/user-book-history/{id}', () => {
        looked += 1;
        return { completed: false, place: there };
      }),
    );
    await section('First idea');
    await comesBackUntilAsked('You are further along on another device');
    await press('Stay here');
    const before = looked;
    window.dispatchEvent(new Event('focus'));
    await waitFor(() => expect(looked).toBeGreaterThan(before));
    await userEvent.keyboard('{ArrowRight}');
    await section('Second idea');
    expect(screen.queryByText('You are further along on another device')).not.toBeInTheDocument();
  });

  it('asks when the response to a save has another device’s place', async () => {
    open(bookOf(), { overtakenBy: elsewhere(2, Date.now() + 60_000) });
    await section('First idea');
    await press('Next');
    expect(await asked('You are further along on another device')).toBeVisible();
    expect(screen.getByRole('heading', { level: 2, name: 'Second idea' })).toBeVisible();
  });

  it('stores a completion that could not be sent', async () => {
    open(bookOf({ position: 1 }));
    server.use(on('PUT /api/user-book-history', () => failure(503, 'busy', 'Too busy right now.')));
    vi.spyOn(console, 'warn').mockReturnValue();
    await section('Second idea');
    await press('Next');
    await press('Finish');
    await screen.findByText(/could not be marked as completed yet/);
    expect(unsentPlaces(7)).toMatchObject([{ book: 1, position: 2, completed: true }]);
  });
});
