import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { Book } from '@/api/types';
import * as ReaderPage from '@/features/reading-progress/reading/pages/ReaderPage';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { rememberHighlightsOff } from '@/shared/study/studyFlags';
import { studyStore } from '@/shared/study/studyStore';
import { sampleBook, sampleUser } from '@test/samples';
import { on, server } from '@test/server';
import { sampleChanges, sampleHighlight, sampleStudySettings } from '@test/study';

const ADA = 7;
const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.now();
const TITLES = ['Economy', 'Reading', 'Sounds', 'Solitude', 'Visitors', 'The village'];
const BODY = TITLES.map((title) => `<h3>${title}</h3><p>${title} begins.</p><p>${title} goes on.</p>`).join('');

/** The positions that were saved. */
let saved: unknown[];

interface Place {
  position: number;
  paragraph?: number | null;
  /** How old it is, in days. */
  age: number;
}

function open({ position, paragraph = null, age }: Place, { address = '/books/book-1', ...more }: Partial<Book> & { address?: string } = {}) {
  const at = NOW - age * DAY;
  const book: Book = {
    ...sampleBook(1),
    authorDesc: '',
    quotes: [],
    goals: [],
    body: BODY,
    truncatedBody: null,
    sections: TITLES.map((title, place) => ({ title, place })),
    video: null,
    hasPodcast: false,
    podcastUrl: null,
    highlights: null,
    listeningMinutes: null,
    vector: null,
    position,
    place: { position, paragraph, at, device: null, furthest: position, audio: null },
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
  };
  window.history.replaceState(null, '', address);
  server.use(
    on('GET /api/books/{id}', () => ({ user: sampleUser({ id: ADA }), book })),
    on('PUT /api/user-book-history', ({ body }) => {
      const { position, at } = body as { position: number; at: number };
      saved.push(position);
      return {
        entry: { bookId: 1, position, completed: false, at },
        place: { position, paragraph: null, at, device: null, furthest: position, audio: null },
        progress: null,
      };
    }),
  );
  const router = createMemoryRouter([{ path: '/books/:id', ...ReaderPage }], { initialEntries: [address] });
  return render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

const panel = async () => within(await screen.findByRole('region', { name: 'Where you were' }));
const isOpened = (title: string) => screen.findByRole('heading', { level: 2, name: title });
const isAbsent = () => expect(screen.queryByRole('region', { name: 'Where you were' })).toBeNull();
const textsOf = (elements: Element[]) => elements.map(({ textContent }) => textContent);

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  session.start('token');
  copiesOwner.set(ADA);
  saved = [];
  server.use(
    on('GET /api/study/settings', () => ({ settings: sampleStudySettings() })),
    on('GET /api/study/changes', () => sampleChanges()),
    on('GET /api/study/popular/{book}', () => ({ passages: [] })),
  );
  await studyStore.removeMember(ADA);
  await studyStore.load(ADA);
});
afterEach(() => {
  cleanup();
  session.end('left');
  window.history.replaceState(null, '', '/');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a book to which a member comes back after more than a week', () => {
  it('says where they stopped, when, and what they have read, the earlier ideas behind a disclosure', async () => {
    open({ position: 5, age: 22 });
    const where = await panel();
    expect(where.getByText('You stopped 3 weeks ago in “The village”.')).toBeVisible();
    const [earlier, last] = where.getAllByRole('list', { hidden: true });
    expect(where.getByText('2 ideas before').closest('details')).not.toHaveAttribute('open');
    expect(textsOf(within(earlier as HTMLElement).getAllByRole('listitem', { hidden: true }))).toEqual(['1Economy', '2Reading']);
    expect(textsOf(within(last as HTMLElement).getAllByRole('listitem'))).toEqual(['3Sounds', '4Solitude', '5Visitors']);
    expect(where.queryByText('You highlighted')).toBeNull();
    // It is there with the text, and takes no focus.
    expect(screen.getByText('The village begins.')).toBeVisible();
    expect(document.body).toHaveFocus();
    expect(saved).toEqual([]);
  });

  it('shows up to three of their highlights in what they have read', async () => {
    const highlight = (id: number, section: number, exact: string) =>
      sampleHighlight({
        id,
        bookId: 1,
        anchor: { section, start: 0, end: exact.length, exact, prefix: '', suffix: '' },
        place: { state: 'same', section, start: 0, end: exact.length, text: null },
      });
    await studyStore.putHighlight(highlight(1, 0, 'Economy begins'));
    await studyStore.putHighlight(highlight(2, 2, 'Sounds begins'));
    await studyStore.putHighlight(highlight(3, 4, 'Visitors begins'));
    const { unmount } = open({ position: 2, age: 8 });
    const where = await panel();
    expect(where.getByText('You highlighted')).toBeVisible();
    expect(textsOf([...document.querySelectorAll('.where-you-were__words')])).toEqual(['Economy begins', 'Sounds begins']);
    unmount();
    rememberHighlightsOff(true);
    open({ position: 2, age: 8 });
    expect((await panel()).queryByText('You highlighted')).toBeNull();
  });

  it('goes on at the paragraph of the place, once per return', async () => {
    const scrollBy = vi.spyOn(window, 'scrollBy').mockImplementation(() => undefined);
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      return { top: this.textContent === 'Sounds goes on.' ? 500 : 100, bottom: 600 } as DOMRect;
    });
    const { unmount } = open({ position: 2, paragraph: 1, age: 30 });
    const where = await panel();
    expect(scrollBy).not.toHaveBeenCalled();
    await userEvent.click(where.getByRole('button', { name: 'Go on' }));
    isAbsent();
    expect(scrollBy).toHaveBeenCalledExactlyOnceWith({ top: 428, behavior: 'instant' });
    expect(await isOpened('Sounds')).toHaveFocus();
    expect(saved).toEqual([]);
    unmount();
    open({ position: 2, paragraph: 1, age: 30 });
    await isOpened('Sounds');
    isAbsent();
    // The text opens at the paragraph by itself then.
    await waitFor(() => expect(scrollBy).toHaveBeenCalledTimes(2));
  });

  it('starts again at its beginning, which is saved', async () => {
    open({ position: 2, age: 400 });
    const where = await panel();
    expect(where.getByText('You stopped 1 year ago in “Sounds”.')).toBeVisible();
    await userEvent.click(where.getByRole('button', { name: 'Start again' }));
    isAbsent();
    expect(await isOpened('Economy')).toHaveFocus();
    await waitFor(() => expect(saved).toEqual([0]));
  });

  it('says no more once it is turned', async () => {
    open({ position: 2, age: 10 });
    await panel();
    await userEvent.keyboard('{ArrowRight}');
    await isOpened('Solitude');
    isAbsent();
    await userEvent.keyboard('{ArrowLeft}');
    await isOpened('Sounds');
    isAbsent();
  });

  it.each<[string, Place, Partial<Book> & { address?: string }, string]>([
    ['whose place is of this week', { position: 2, age: 6 }, {}, 'Sounds'],
    ['that was left at its beginning', { position: 0, age: 30 }, {}, 'Economy'],
    ['that was completed', { position: 2, age: 30 }, { completed: true }, 'Sounds'],
    ['that is opened by a link to a section', { position: 2, age: 30 }, { address: '/books/book-1?section=3' }, 'Sounds'],
  ])('says nothing of one %s', async (_, place, more, title) => {
    open(place, more);
    await isOpened(title);
    isAbsent();
  });
});
