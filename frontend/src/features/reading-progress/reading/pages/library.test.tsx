import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { HistoryEntry, LibraryBook, Shelves } from '@/api/types';
import * as LibraryPage from '@/features/reading-progress/reading/pages/LibraryPage';
import { Toaster } from '@/ui/toast';
import { sampleBook, sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const counts: Shelves = { all: 30, reading: 1, finished: 2, saved: 27 };
const kept = (id: number, more: Partial<LibraryBook> = {}): LibraryBook => ({
  ...sampleBook(id),
  saved: true,
  position: null,
  completed: false,
  sectionsTotal: 9,
  ...more,
});
const shelf = (from: number, count: number) => Array.from({ length: count }, (_, i) => kept(from + i));
const read = (id: number, at: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  ...sampleBook(id),
  position: 2,
  completed: false,
  sectionsTotal: 9,
  at,
  ...more,
});

const history = (books: HistoryEntry[], next: string | null = null) => ({
  user: sampleUser(),
  books,
  counts: { all: books.length + (next ? 1 : 0), completed: books.filter(({ completed }) => completed).length },
  next,
});

function open(address = '/library') {
  const router = createMemoryRouter([{ path: '/library', ...LibraryPage }], { initialEntries: [address] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>,
  );
}

const titles = () => screen.queryAllByRole('heading', { level: 3 }).map((heading) => heading.textContent);

const toasts = () => within(document.querySelector<HTMLElement>('.toasts') ?? document.body);
/** The toast with this text. Toasts of earlier tests may still be shown. */
const toastOf = async (text: string) => within((await toasts().findByText(text)).closest<HTMLElement>('.toast') ?? document.body);

beforeEach(() => {
  session.start('token');
  server.use(on('GET /api/user/account', () => ({ user: sampleUser() })));
});

describe('the library', () => {
  it('comes 20 at a time', async () => {
    const asked: string[] = [];
    server.use(
      on('GET /api/library', ({ request }) => {
        const { searchParams } = new URL(request.url);
        asked.push(searchParams.toString());
        return searchParams.get('after') === 'k20'
          ? { user: sampleUser(), books: shelf(21, 3), next: null, counts }
          : { user: sampleUser(), books: shelf(1, 20), next: 'k20', counts };
      }),
    );
    open();
    await screen.findByRole('link', { name: 'Book 20' });
    expect(screen.getByRole('heading', { level: 1, name: 'Your Library' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Load 20 more' })).toHaveAccessibleDescription('10 remain');
    await userEvent.click(screen.getByRole('button', { name: 'Load 20 more' }));
    await screen.findByRole('link', { name: 'Book 23' });
    expect(titles()).toHaveLength(23);
    // The pressed button is removed: the focus is on the first new book.
    await waitFor(() => expect(screen.getByRole('link', { name: 'Book 21' })).toHaveFocus());
    expect(screen.getByText('3 more loaded.')).toHaveAttribute('role', 'status');
    expect(screen.queryByRole('button', { name: /Load/ })).not.toBeInTheDocument();
    expect(asked).toEqual(['limit=20', 'after=k20&limit=20']);
  });

  it('leads members with a plan to the summaries of their own texts', async () => {
    server.use(
      on('GET /api/library', () => ({ user: sampleUser(), books: [], next: null, counts })),
      on('GET /api/user/account', () => ({ user: sampleUser({ isPaid: true }) })),
    );
    open();
    expect(await screen.findByRole('link', { name: 'Summaries of your own texts' })).toHaveAttribute('href', '/ai#summaries');
  });

  it('leads to the lists, on which each book can be put (study.list-pages)', async () => {
    server.use(on('GET /api/library', () => ({ user: sampleUser(), books: [kept(1), kept(2, { completed: true })], next: null, counts })));
    open();
    expect(await screen.findByRole('button', { name: 'Add to list: Book 1' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Add to list: Book 2' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Lists' })).toHaveAttribute('href', '/lists');
  });

  it('says when there is nothing, and where to find something', async () => {
    server.use(on('GET /api/library', () => ({ user: sampleUser(), books: [], next: null, counts })));
    open();
    expect(await screen.findByRole('heading', { name: 'Nothing on your shelf yet' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Browse summaries' })).toHaveAttribute('href', '/books');
  });

  it('says why it did not come, and tries again', async () => {
    let tries = 0;
    server.use(
      on('GET /api/library', () =>
        tries++ === 0 ? failure(503, 'busy', 'Too busy right now.') : { user: sampleUser(), books: shelf(1, 1), next: null, counts },
      ),
    );
    open();
    expect(await screen.findByRole('alert')).toHaveTextContent('Too busy right now.');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('link', { name: 'Book 1' });
  });

  it('removes a book at once and moves the focus to the next one', async () => {
    const removed: string[] = [];
    server.use(
      on('GET /api/library', () => ({ user: sampleUser(), books: shelf(1, 3), next: null, counts })),
      on('DELETE /api/library/{id}', ({ request }) => {
        removed.push(new URL(request.url).pathname);
        return { isInLibrary: false };
      }),
    );
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Book 2 from library' }));
    await waitFor(() => expect(titles()).toEqual(['Book 1', 'Book 3']));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Remove Book 3 from library' })).toHaveFocus());
    await waitFor(() => expect(removed).toEqual(['/api/library/2']));
  });

  it('puts it back when the server refuses, and says so', async () => {
    server.use(
      on('GET /api/library', () => ({ user: sampleUser(), books: shelf(1, 2), next: null, counts })),
      on('DELETE /api/library/{id}', () => failure(500, 'internal', 'Broken.')),
    );
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Book 1 from library' }));
    const card = (await screen.findByRole('link', { name: 'Book 1' })).closest('article');
    expect(within(card ?? document.body).getByRole('alert')).toHaveTextContent('“Book 1” could not be removed. Broken.');
    expect(titles()).toEqual(['Book 1', 'Book 2']);
    // The focus had moved to the next book.
    await waitFor(() => expect(screen.getByRole('button', { name: 'Remove Book 1 from library' })).toHaveFocus());
  });

  it('keeps the focus of a member who has moved on, and shows a toast', async () => {
    const { answer, refuse } = refuser([1]);
    server.use(
      on('GET /api/library', () => ({ user: sampleUser(), books: shelf(1, 2), next: null, counts })),
      on('DELETE /api/library/{id}', ({ request }) => answer(request, { isInLibrary: false })),
    );
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Book 1 from library' }));
    await waitFor(() => expect(titles()).toEqual(['Book 2']));
    const other = await tab('Saved 26');
    other.focus();
    refuse();
    expect(await toasts().findByText('“Book 1” could not be removed. Broken 1.')).toBeInTheDocument();
    expect(titles()).toEqual(['Book 1', 'Book 2']);
    expect(other).toHaveFocus();
  });

  it('is put back by Undo where it stood', async () => {
    const put: unknown[] = [];
    server.use(
      on('GET /api/library', () => ({ user: sampleUser(), books: shelf(41, 3), next: null, counts })),
      on('DELETE /api/library/{id}', () => ({ isInLibrary: false })),
      on('POST /api/library', async ({ request }) => {
        put.push(await request.json());
        return { isInLibrary: true };
      }),
    );
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Book 42 from library' }));
    await userEvent.click((await toastOf('“Book 42” was removed from your library.')).getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(titles()).toEqual(['Book 41', 'Book 42', 'Book 43']));
    expect(put).toEqual([{ bookId: 42 }]);
    expect(await tab('All 30')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Remove Book 42 from library' })).toHaveFocus();
    expect(screen.queryByText('“Book 42” was removed from your library.')).not.toBeInTheDocument();
  });

  it('is put back by Ctrl-Z; that may fail too', async () => {
    server.use(
      on('GET /api/library', () => ({ user: sampleUser(), books: shelf(51, 2), next: null, counts })),
      on('DELETE /api/library/{id}', () => ({ isInLibrary: false })),
      on('POST /api/library', () => failure(500, 'internal', 'Broken.')),
    );
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Book 51 from library' }));
    await toastOf('“Book 51” was removed from your library.');
    await userEvent.keyboard('{Control>}z{/Control}');
    expect(await toasts().findByText('“Book 51” could not be put back. Broken.')).toBeInTheDocument();
    expect(titles()).toEqual(['Book 52']);
  });
});

/** Mocks deletions: refuses some of them, but only when released; accepts the others at once. */
function refuser(refused: number[]) {
  let refuse: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  const answer = async <R,>(request: Request, taken: R): Promise<R | Response> => {
    const id = Number(new URL(request.url).pathname.split('/').at(-1));
    if (!refused.includes(id)) return taken;
    await released;
    return failure(500, 'internal', `Broken ${id}.`);
  };
  return { answer, refuse: () => refuse() };
}

describe('several books removed at once', () => {
  it('are put back one by one, each where it stood, and only those that the server refused', async () => {
    const { answer, refuse } = refuser([2, 3]);
    server.use(
      on('GET /api/library', () => ({ user: sampleUser(), books: shelf(1, 5), next: null, counts })),
      on('DELETE /api/library/{id}', ({ request }) => answer(request, { isInLibrary: false })),
    );
    open();
    for (const id of [2, 3, 4]) await userEvent.click(await screen.findByRole('button', { name: `Remove Book ${id} from library` }));
    await waitFor(() => expect(titles()).toEqual(['Book 1', 'Book 5']));
    expect(await screen.findByText('“Book 4” was removed from your library.')).toBeInTheDocument();
    refuse();
    await waitFor(() => expect(titles()).toEqual(['Book 1', 'Book 2', 'Book 3', 'Book 5']));
    const alerts = screen.getAllByRole('alert').map((alert) => alert.textContent);
    expect(alerts).toEqual(['“Book 2” could not be removed. Broken 2.', '“Book 3” could not be removed. Broken 3.']);
    expect(await tab('All 29')).toBeVisible();
    // A successful retry removes the error.
    server.use(on('DELETE /api/library/{id}', () => ({ isInLibrary: false })));
    await userEvent.click(screen.getByRole('button', { name: 'Remove Book 2 from library' }));
    await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(1));
  });

  it('are so in the history too', async () => {
    const { answer, refuse } = refuser([1]);
    const noon = new Date().setHours(12, 0, 0, 0);
    server.use(
      on('GET /api/library', () => ({ user: sampleUser(), books: [], next: null, counts })),
      on('GET /api/user-book-history', () => history([read(1, noon), read(2, noon - 1), read(3, noon - 2)])),
      on('DELETE /api/user-book-history/{id}', ({ request }) => answer(request, { isInHistory: false })),
    );
    open('/library?view=history');
    await userEvent.click(await screen.findByRole('button', { name: 'Hide Book 1 from history' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Hide Book 2 from history' }));
    await waitFor(() => expect(titles()).toEqual(['Book 3']));
    refuse();
    await waitFor(() => expect(titles()).toEqual(['Book 1', 'Book 3']));
    expect(screen.getByRole('alert')).toHaveTextContent('“Book 1” could not be hidden. Broken 1.');
  });
});

const tab = (name: string) => screen.findByRole('link', { name });

describe('the shelves', () => {
  it('say how many books stand on each, and which one is shown', async () => {
    const asked: string[] = [];
    server.use(
      on('GET /api/library', ({ request }) => {
        const name = new URL(request.url).searchParams.get('shelf') ?? 'all';
        asked.push(name);
        return {
          user: sampleUser(),
          books: name === 'reading' ? [kept(4, { position: 2 })] : [kept(5, { position: 8, completed: true }), kept(4, { position: 2 })],
          next: null,
          counts,
        };
      }),
    );
    open();
    expect(await tab('All 30')).toHaveAttribute('aria-current', 'page');
    expect(await screen.findByText('Completed')).toBeVisible();
    expect(screen.getByRole('progressbar', { name: 'Progress in Book 4' })).toHaveAttribute('aria-valuenow', '3');
    await userEvent.click(await tab('Reading 1'));
    await waitFor(() => expect(titles()).toEqual(['Book 4']));
    expect(await tab('Reading 1')).toHaveAttribute('aria-current', 'page');
    expect(asked).toEqual(['all', 'reading']);
  });

  it('count one book less when it is removed', async () => {
    server.use(
      on('GET /api/library', () => ({ user: sampleUser(), books: [kept(1, { position: 8 }), kept(2)], next: null, counts })),
      on('DELETE /api/library/{id}', () => ({ isInLibrary: false })),
    );
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Book 1 from library' }));
    expect(await tab('All 29')).toBeVisible();
    expect(await tab('Reading 0')).toBeVisible();
  });

  it('keep a finished book when it is no longer saved, and save one that never was', async () => {
    const sent: string[] = [];
    server.use(
      on('GET /api/library', () => ({
        user: sampleUser(),
        books: [kept(1, { position: 8, completed: true }), kept(2, { position: 8, completed: true, saved: false })],
        next: null,
        counts,
      })),
      on('DELETE /api/library/{id}', ({ request }) => {
        sent.push(new URL(request.url).pathname);
        return { isInLibrary: false };
      }),
      on('POST /api/library', () => failure(500, 'internal', 'Broken.')),
    );
    open('/library?shelf=finished');
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Book 1 from library' }));
    expect(await screen.findByRole('button', { name: 'Save Book 1 in library' })).toHaveFocus();
    await toastOf('“Book 1” is no longer saved. It stays under Finished.');
    expect(sent).toEqual(['/api/library/1']);
    expect(await tab('Finished 2')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Save Book 2 in library' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('“Book 2” could not be changed. Broken.');
    server.use(on('POST /api/library', () => ({ isInLibrary: true })));
    await userEvent.click(screen.getByRole('button', { name: 'Save Book 2 in library' }));
    expect(await screen.findByRole('button', { name: 'Remove Book 2 from library' })).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(titles()).toEqual(['Book 1', 'Book 2']);
  });

  it.each([
    ['reading', 'Nothing started'],
    ['finished', 'Nothing finished yet'],
    ['saved', 'Nothing saved for later'],
  ])('say what belongs on an empty one: %s', async (name, heading) => {
    server.use(on('GET /api/library', () => ({ user: sampleUser(), books: [], next: null, counts })));
    open(`/library?shelf=${name}`);
    expect(await screen.findByRole('heading', { name: heading })).toBeVisible();
  });
});

describe('the history', () => {
  const noon = new Date().setHours(12, 0, 0, 0);
  const yesterday = new Date(noon - 24 * 3_600_000).setHours(12, 0, 0, 0);
  const page = history;
  beforeEach(() => server.use(on('GET /api/library', () => ({ user: sampleUser(), books: [], next: null, counts }))));

  it('is listed by day, apart from the library', async () => {
    server.use(on('GET /api/user-book-history', () => page([read(1, noon), read(2, noon, { completed: true }), read(3, yesterday)])));
    open('/library?view=history');
    const today = await screen.findByRole('region', { name: 'Today' });
    expect(await tab('All 30')).not.toHaveAttribute('aria-current');
    expect(await tab('History')).toHaveAttribute('aria-current', 'page');
    expect(
      within(today)
        .getAllByRole('heading', { level: 3 })
        .map((h) => h.textContent),
    ).toEqual(['Book 1', 'Book 2']);
    expect(within(today).getByText('Key idea 3 of 9')).toBeVisible();
    expect(within(screen.getByRole('region', { name: 'Yesterday' })).getByRole('link', { name: 'Book 3' })).toHaveAttribute('href', '/books/book-3');
  });

  it('comes 20 at a time', async () => {
    server.use(
      on('GET /api/user-book-history', ({ request }) => {
        const { searchParams } = new URL(request.url);
        expect(searchParams.get('limit')).toBe('20');
        return searchParams.get('after') === 'k1' ? page([read(2, yesterday)]) : page([read(1, noon)], 'k1');
      }),
    );
    open('/library?view=history');
    await userEvent.click(await screen.findByRole('button', { name: 'Load 20 more' }));
    await screen.findByRole('link', { name: 'Book 2' });
    expect(screen.queryByRole('button', { name: /Load/ })).not.toBeInTheDocument();
  });

  it('says how many summaries it has, and counts those of the tabs again when one is hidden', async () => {
    let finished = 2;
    server.use(
      on('GET /api/library', () => ({ user: sampleUser(), books: [], next: null, counts: { ...counts, finished } })),
      on('GET /api/user-book-history', () => page([read(61, noon, { completed: true }), read(62, noon - 1, { completed: true }), read(63, yesterday)])),
      on('DELETE /api/user-book-history/{id}', () => {
        finished = 1;
        return { isInHistory: false };
      }),
    );
    open('/library?view=history');
    expect(await screen.findByText('3 summaries, 2 finished')).toBeVisible();
    expect(await tab('Finished 2')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Hide Book 61 from history' }));
    expect(await screen.findByText('2 summaries, 1 finished')).toBeVisible();
    expect(await tab('Finished 1')).toBeVisible();
  });

  it('hides a line at once and gives the focus to the next one', async () => {
    const hidden: string[] = [];
    server.use(
      on('GET /api/user-book-history', () => page([read(1, noon), read(2, yesterday)])),
      on('DELETE /api/user-book-history/{id}', ({ request }) => {
        hidden.push(new URL(request.url).pathname);
        return { isInHistory: false };
      }),
    );
    open('/library?view=history');
    await userEvent.click(await screen.findByRole('button', { name: 'Hide Book 1 from history' }));
    await waitFor(() => expect(titles()).toEqual(['Book 2']));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Hide Book 2 from history' })).toHaveFocus());
    await waitFor(() => expect(hidden).toEqual(['/api/user-book-history/1']));
  });

  it('shows a line again where it stood when that is undone', async () => {
    const asked: string[] = [];
    const said = ({ request }: { request: Request }) => asked.push(`${request.method} ${new URL(request.url).pathname}`);
    server.use(
      on('GET /api/user-book-history', () => page([read(51, noon), read(52, noon - 1), read(53, yesterday)])),
      on('DELETE /api/user-book-history/{id}', (request) => {
        said(request);
        return { isInHistory: false };
      }),
      on('POST /api/user-book-history/{id}/show', (request) => {
        said(request);
        return { isInHistory: true };
      }),
    );
    open('/library?view=history');
    await userEvent.click(await screen.findByRole('button', { name: 'Hide Book 52 from history' }));
    await waitFor(() => expect(titles()).toEqual(['Book 51', 'Book 53']));
    await userEvent.click((await toastOf('“Book 52” is hidden. It comes back when you read it again.')).getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(titles()).toEqual(['Book 51', 'Book 52', 'Book 53']));
    expect(within(screen.getByRole('region', { name: 'Today' })).getAllByRole('heading', { level: 3 })).toHaveLength(2);
    expect(screen.getByRole('button', { name: 'Hide Book 52 from history' })).toHaveFocus();
    await waitFor(() => expect(asked).toEqual(['DELETE /api/user-book-history/52', 'POST /api/user-book-history/52/show']));
  });

  it('hides a line again when it could not be shown, and says so', async () => {
    server.use(
      on('GET /api/user-book-history', () => page([read(54, noon), read(55, yesterday)])),
      on('DELETE /api/user-book-history/{id}', () => ({ isInHistory: false })),
      on('POST /api/user-book-history/{id}/show', () => failure(500, 'internal', 'Broken.')),
    );
    open('/library?view=history');
    await userEvent.click(await screen.findByRole('button', { name: 'Hide Book 54 from history' }));
    await userEvent.click((await toastOf('“Book 54” is hidden. It comes back when you read it again.')).getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('“Book 54” could not be put back. Broken.')).toBeVisible();
    expect(titles()).toEqual(['Book 55']);
  });

  it('shows the line again when the server refuses, and says so', async () => {
    server.use(
      on('GET /api/user-book-history', () => page([read(1, noon)])),
      on('DELETE /api/user-book-history/{id}', () => failure(500, 'internal', 'Broken.')),
    );
    open('/library?view=history');
    await userEvent.click(await screen.findByRole('button', { name: 'Hide Book 1 from history' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('“Book 1” could not be hidden. Broken.');
    expect(titles()).toEqual(['Book 1']);
  });

  it('says what will stand here, and why it did not come', async () => {
    let tries = 0;
    server.use(on('GET /api/user-book-history', () => (tries++ === 0 ? failure(503, 'busy', 'Too busy right now.') : page([]))));
    open('/library?view=history');
    expect(await screen.findByRole('alert')).toHaveTextContent('Too busy right now.');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Nothing read yet' })).toBeVisible();
  });
});
