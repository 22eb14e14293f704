import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import type { RouteObject } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { ResultOf, SearchResult } from '@/api/types';
import * as ListsPage from '@/features/study/lists/pages/ListsPage';
import * as OwnListPage from '@/features/study/lists/pages/OwnListPage';
import type { OtherLists } from '@/features/study/lists/queries';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import * as offlineCopies from '@/shared/offline/offlineCopies';
import { isListShown, shownBooks } from '@/shared/study/lists/list';
import type { ReadingList } from '@/shared/study/lists/list';
import { mergeLists } from '@/shared/study/merge';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';
import { Toaster } from '@/ui/toast';
import { sampleBook, sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';
import { sampleChanges, sampleListBook, sampleReadingList } from '@test/study';

const ADA = 7;
const ID = 6;

/** What the server has. */
let onServer: ReadingList;
let others: OtherLists;
let isDown: boolean;
/** What was sent about sharing. */
let shared: unknown[];
/** Answers these. */
let share: (body: { sharing?: string; isForTeam?: boolean }) => ReadingList | Response;

const books = (count: number) =>
  Array.from({ length: count }, (_, i) => sampleListBook({ bookId: i + 1, subid: `book-${i + 1}`, title: `Book ${i + 1}`, rank: `a${i}` }));
const NOTHING: SearchResult = { books: [], more: false, didYouMean: null, authors: [], categories: [], collections: [], tags: [] };

function open(path = `/lists/${ID}`, more: RouteObject[] = []) {
  const router = createMemoryRouter([{ path: '/lists/:id', ...OwnListPage }, ...more, { path: '*', Component: () => <p>elsewhere</p> }], {
    initialEntries: [path],
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>,
  );
  return { at: () => router.state.location.pathname };
}

const nextVersion = () => Math.max(100, onServer.version ?? 0) + 1;

/** Merges a list that a device sends with the server's; a deletion ends what is shared, also when it is undone. */
function save({ books: sent = [], ...rest }: Partial<ReadingList>): void {
  // The server knows what is shown of a book.
  const shown = studyStore.snapshot().lists.get(ID)?.state.books ?? onServer.books;
  const books = sent.map((book) => ({ ...shown.find(({ bookId }) => bookId === book.bookId), ...book }));
  const isDeletion = (rest.deletedAt ?? 0) > (onServer.deletedAt ?? 0);
  onServer = {
    ...mergeLists(onServer, sampleReadingList({ ...rest, id: ID, books, version: null })),
    ...(isDeletion && { sharing: 'private', slug: null, teamListId: null }),
    version: nextVersion(),
  };
}

const title = (name = 'Simple living') => screen.findByRole('heading', { level: 1, name });
const titles = () => screen.queryAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
const row = (name: string) => within(screen.getByRole('heading', { level: 3, name }).closest<HTMLElement>('li') ?? document.body);
const stored = (): ReadingList => {
  const found = studyStore.snapshot().lists.get(ID)?.state;
  if (!found) throw new Error('The list is not on this device.');
  return found;
};
const storedTitles = () => shownBooks(stored()).map((book) => book.title);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
/** The toasts of the page: a dialog has some of its own. */
const undo = async () => userEvent.click((await screen.findAllByRole('button', { name: 'Undo' })).at(-1) ?? document.body);
const offline = () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  isDown = true;
};

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
  onServer = sampleReadingList({ id: ID, books: books(3) });
  others = { followed: [], team: [], followers: [], seats: 0, finished: [2] };
  isDown = false;
  shared = [];
  share = ({ sharing = onServer.sharing, isForTeam }) => {
    onServer = {
      ...onServer,
      sharing: sharing as ReadingList['sharing'],
      slug: sharing === 'private' ? null : sharing === 'link' ? 'X7' : 'simple-living',
      teamListId: isForTeam === undefined ? onServer.teamListId : isForTeam ? 9 : null,
      version: nextVersion(),
    };
    return onServer;
  };
  const answered = <R,>(answer: () => R | Response) => (isDown ? failure(503, 'unavailable', 'Busy.') : answer());
  server.use(
    on('GET /api/user/account', () => answered(() => ({ user: sampleUser({ id: ADA }) }))),
    on('GET /api/study/changes', () =>
      answered(() => sampleChanges({ lists: [onServer] as unknown as ResultOf<'GET /api/study/changes'>['lists'], version: 1 })),
    ),
    on('GET /api/study/lists', () => answered(() => others)),
    on('PUT /api/study/lists/{id}', ({ body }) =>
      answered(() => {
        save(body as Partial<ReadingList>);
        return { list: onServer } as unknown as ResultOf<'PUT /api/study/lists/{id}'>;
      }),
    ),
    on('PUT /api/study/lists/{id}/sharing', ({ body }) =>
      answered(() => {
        shared.push(body);
        const answer = share(body as object);
        return answer instanceof Response ? answer : ({ list: answer } as unknown as ResultOf<'PUT /api/study/lists/{id}/sharing'>);
      }),
    ),
  );
  await studyStore.removeMember(ADA);
});
afterEach(async () => {
  // What a test has left to send must not reach the server of the next one.
  await syncStudy();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  session.end('left');
});

describe('an own list (study.own-lists)', () => {
  it('shows its name, its note and its books in their order', async () => {
    onServer = sampleReadingList({
      id: ID,
      note: { value: 'Own less.', at: 1 },
      books: [
        ...books(2).reverse(),
        sampleListBook({ bookId: 3, subid: null, title: 'Withdrawn', author: 'Ada', rank: 'a5' }),
        sampleListBook({ bookId: 4, rank: null }),
      ],
    });
    open();
    await title();
    expect(screen.getByText('Own less.')).toBeVisible();
    expect(screen.getByText('3 summaries')).toBeVisible();
    expect(screen.getByText('Private')).toBeVisible();
    expect(titles()).toEqual(['Book 1', 'Book 2', 'Withdrawn']);
    expect(row('Book 1').getByRole('link', { name: 'Book 1' })).toHaveAttribute('href', '/books/book-1');
    expect(row('Withdrawn').queryByRole('link')).toBeNull();
    expect(row('Withdrawn').getByText('Not available now')).toBeVisible();
    expect(await screen.findByText('Finished')).toBeVisible();
    expect(row('Book 2').getByText('Finished')).toBeVisible();
    expect(document.title).toMatch(/^Simple living/);
    expect(screen.getByRole('link', { name: 'Lists' })).toHaveAttribute('href', '/lists');
  });

  it('is put in order with the keys', async () => {
    open();
    (await screen.findByRole('button', { name: 'Move Book 1, 1 of 3' })).focus();
    await userEvent.keyboard('{End}');
    await waitFor(() => expect(titles()).toEqual(['Book 2', 'Book 3', 'Book 1']));
    expect(screen.getByRole('button', { name: 'Move Book 1, 3 of 3' })).toHaveFocus();
    expect(storedTitles()).toEqual(['Book 2', 'Book 3', 'Book 1']);
  });

  it('loses a book with an Undo, which puts it back where it stood', async () => {
    open();
    await press('Remove Book 2');
    expect(titles()).toEqual(['Book 1', 'Book 3']);
    expect(screen.getByRole('button', { name: 'Remove Book 3' })).toHaveFocus();
    await undo();
    await waitFor(() => expect(titles()).toEqual(['Book 1', 'Book 2', 'Book 3']));
    // The toast's button had the focus.
    await waitFor(() => expect(screen.getByRole('button', { name: 'Remove Book 2' })).toHaveFocus());
  });

  it('leaves the focus where it is when the Undo is pressed by its keys', async () => {
    open();
    await press('Remove Book 2');
    expect(screen.getByRole('button', { name: 'Remove Book 3' })).toHaveFocus();
    await userEvent.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(titles()).toEqual(['Book 1', 'Book 2', 'Book 3']));
    expect(screen.getByRole('button', { name: 'Remove Book 3' })).toHaveFocus();
  });

  it('says how to begin when it is empty, also after its last book', async () => {
    onServer = sampleReadingList({ id: ID, books: books(1) });
    open();
    await press('Remove Book 1');
    expect(await screen.findByRole('heading', { name: 'No summaries on this list yet' })).toBeVisible();
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  });

  it('is renamed, and gets a note', async () => {
    open();
    await press('Edit');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit the list' }));
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await userEvent.clear(name);
    await userEvent.type(name, 'Enough');
    await userEvent.type(dialog.getByRole('textbox', { name: 'Note' }), 'A note');
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await title('Enough');
    expect(screen.getByText('A note')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(stored()).toMatchObject({ name: { value: 'Enough' }, note: { value: 'A note' } });
  });

  it('keeps the name that another device gives it while its note is edited', async () => {
    open();
    await press('Edit');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit the list' }));
    onServer = { ...onServer, name: { value: 'Enough', at: 9 }, version: 2 };
    await syncStudy();
    await title('Enough');
    expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Simple living');
    await userEvent.type(dialog.getByRole('textbox', { name: 'Note' }), 'A note');
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(stored().note.value).toBe('A note'));
    expect(stored().name.value).toBe('Enough');
  });

  it('is deleted with an Undo, on the page of all lists', async () => {
    const { at } = open();
    await title();
    await press('Delete');
    expect(await screen.findByText('elsewhere')).toBeVisible();
    expect(at()).toBe('/lists');
    await waitFor(() => expect(isListShown(stored())).toBe(false));
    expect(await screen.findByText('“Simple living” was deleted.')).toBeVisible();
    await undo();
    await waitFor(() => expect(isListShown(stored())).toBe(true));
  });

  it('has the focus on the page of all lists after the Undo of its deletion', async () => {
    open(undefined, [{ path: '/lists', ...ListsPage }]);
    await title();
    await press('Delete');
    await waitFor(() => expect(isListShown(stored())).toBe(false));
    await undo();
    await waitFor(() => expect(screen.getByRole('link', { name: 'Simple living' })).toHaveFocus());
  });

  it('is deleted after a question when others see it', async () => {
    onServer = sampleReadingList({ id: ID, sharing: 'link', slug: 'X7', teamListId: 9 });
    open();
    await title();
    await press('Delete');
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this list?' }));
    expect(dialog.getByText('Its link ends, and the members who follow it lose it. If you undo it, the list is private.')).toBeVisible();
    expect(dialog.getByText('Your team no longer sees it. If you undo it, please give it to your team again.')).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: 'Keep it' }));
    expect(isListShown(stored())).toBe(true);
    await press('Delete');
    await press('Delete the list');
    await waitFor(() => expect(isListShown(stored())).toBe(false));
    await undo();
    await waitFor(() => expect(isListShown(stored())).toBe(true));
    await waitFor(() => expect(stored()).toMatchObject({ sharing: 'private', slug: null, teamListId: null }));
  });

  it.each(['/lists/999', '/lists/none'])('that is not there is a page that was not found: %s', async (path) => {
    open(path);
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'See your lists' })).toHaveAttribute('href', '/lists');
    await waitFor(() => expect(document.title).toMatch(/^Page not found/));
  });

  it('that could not be read says so', async () => {
    isDown = true;
    open();
    const retry = await screen.findByRole('button', { name: 'Try again' });
    isDown = false;
    await userEvent.click(retry);
    await title();
  });

  it('is not said to be deleted when the server can’t be asked, until it can', async () => {
    await studyStore.load(ADA);
    await studyStore.receive(ADA, { lists: [onServer], cursor: 1, isEnd: true });
    isDown = true;
    open('/lists/999');
    const retry = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.queryByText(/^There is no such list of yours/)).toBeNull();
    isDown = false;
    await userEvent.click(retry);
    expect(await screen.findByText('There is no such list of yours. It may have been deleted.')).toBeVisible();
  });

  it('of another device is waited for, and is not on this one while it is offline', async () => {
    await studyStore.load(ADA);
    await studyStore.receive(ADA, { lists: [sampleReadingList({ id: 1 })], cursor: 0, isEnd: true });
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      on('GET /api/study/changes', async () => {
        await waiting;
        if (isDown) return failure(503, 'unavailable', 'Busy.');
        return sampleChanges({ lists: [sampleReadingList({ id: 77, version: 2 })] as unknown as ResultOf<'GET /api/study/changes'>['lists'], version: 2 });
      }),
    );
    open('/lists/77');
    expect(await screen.findByText('Loading your list')).toBeInTheDocument();
    release();
    await title();
    cleanup();
    offline();
    open('/lists/999');
    expect(await screen.findByRole('heading', { level: 1, name: 'Not on this device' })).toBeVisible();
  });

  it('is changed offline', async () => {
    await studyStore.load(ADA);
    await studyStore.receive(ADA, { lists: [onServer], cursor: 1, isEnd: true });
    offline();
    open();
    await press('Remove Book 2');
    expect(titles()).toEqual(['Book 1', 'Book 3']);
    expect(await screen.findByText('Not sent yet')).toBeVisible();
    await press('Share');
    expect(await screen.findByText('You are offline. Sharing needs a connection.')).toBeVisible();
    expect(screen.getByRole('radio', { name: /^By link/ })).toBeDisabled();
  });
});

describe('books that are added', () => {
  it('are found by a search', async () => {
    server.use(
      on('GET /api/search', ({ request }) => ({
        ...NOTHING,
        books: new URL(request.url).searchParams.get('q') === 'woods' ? [sampleBook(1), sampleBook(8)] : [],
      })),
    );
    open();
    await press('Add a book');
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a book' }));
    const field = dialog.getByRole('searchbox', { name: 'Search summaries' });
    expect(field).toHaveFocus();
    expect(await dialog.findByText('A title, an author, an idea, or a few words you remember.')).toBeVisible();
    await userEvent.type(field, 'woods');
    expect(await dialog.findByText('2 summaries found')).toBeInTheDocument();
    await userEvent.click(await dialog.findByRole('button', { name: 'Add Book 8' }));
    expect(await dialog.findByRole('button', { name: 'Remove Book 8' })).toHaveFocus();
    expect(dialog.getByRole('status')).toHaveTextContent('“Book 8” was added to the list.');
    expect(storedTitles()).toEqual(['Book 1', 'Book 2', 'Book 3', 'Book 8']);
    await userEvent.click(dialog.getByRole('button', { name: 'Remove Book 1' }));
    expect(storedTitles()).toEqual(['Book 2', 'Book 3', 'Book 8']);
    await userEvent.clear(field);
    await userEvent.type(field, 'nothing');
    expect(await dialog.findByText('Nothing found for “nothing”. Try fewer or different words.')).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
    expect(titles()).toEqual(['Book 2', 'Book 3', 'Book 8']);
  });

  it('are only near what was searched for, which is said', async () => {
    server.use(on('GET /api/search', () => ({ ...NOTHING, books: [sampleBook(8, { match: { section: null, passage: null, near: true } })] })));
    open();
    await press('Add a book');
    await userEvent.type(screen.getByRole('searchbox'), 'zzz');
    expect(await screen.findByText('No summary is about “zzz” itself; these come close.')).toBeVisible();
  });

  it('could not be searched for, which can be tried again', async () => {
    let isBroken = true;
    server.use(on('GET /api/search', () => (isBroken ? failure(500, 'internal', 'Not now.') : { ...NOTHING, books: [sampleBook(8)] })));
    open();
    await press('Add a book');
    await userEvent.type(screen.getByRole('searchbox'), 'woods');
    expect(await screen.findByText('Not now.')).toBeVisible();
    isBroken = false;
    await press('Try again');
    expect(await screen.findByRole('button', { name: 'Add Book 8' })).toBeVisible();
  });

  it('are those on this device while it is offline', async () => {
    const kept = [sampleBook(8), sampleBook(9)].map((book) => ({ id: book.id, book: book as offlineCopies.KeptBook['book'], recording: null }));
    vi.spyOn(offlineCopies, 'keptBooks').mockResolvedValue(kept);
    await studyStore.load(ADA);
    await studyStore.receive(ADA, { lists: [onServer], cursor: 1, isEnd: true });
    offline();
    open();
    await press('Add a book');
    expect(await screen.findByText('You are offline. These are the summaries on this device.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Add Book 8' })).toBeVisible();
    await userEvent.type(screen.getByRole('searchbox'), 'BOOK 9');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Add Book 8' })).toBeNull());
    await press('Add Book 9');
    expect(storedTitles()).toEqual(['Book 1', 'Book 2', 'Book 3', 'Book 9']);
    await userEvent.type(screen.getByRole('searchbox'), 'x');
    expect(await screen.findByText('You are offline. No summary on this device matches “BOOK 9x”.')).toBeVisible();
  });

  it('are 200 at most', async () => {
    onServer = sampleReadingList({ id: ID, books: Array.from({ length: 200 }, (_, i) => sampleListBook({ bookId: 1_000 + i, title: `Kept ${i}` })) });
    server.use(on('GET /api/search', () => ({ ...NOTHING, books: [sampleBook(8)] })));
    open();
    await press('Add a book');
    expect(await screen.findByText('A list has up to 200 books.')).toBeVisible();
    await userEvent.type(screen.getByRole('searchbox'), 'woods');
    await press('Add Book 8');
    expect(storedTitles()).toHaveLength(200);
  });
});

describe('the sharing of a list (study.list-sharing)', () => {
  const openSharing = async (path?: string) => {
    open(path);
    await press('Share');
    return within(await screen.findByRole('dialog', { name: 'Share this list' }));
  };

  it('is private at first, and by link or public when the button is pressed', async () => {
    const dialog = await openSharing();
    expect(dialog.getByRole('radio', { name: /^Private/ })).toBeChecked();
    expect(dialog.queryByRole('textbox')).toBeNull();
    await userEvent.click(dialog.getByRole('radio', { name: /^By link/ }));
    expect(shared).toEqual([]);
    await userEvent.click(dialog.getByRole('button', { name: 'Share by link' }));
    expect(await dialog.findByRole('textbox', { name: 'Link to the list' })).toHaveValue('http://localhost:4000/list/X7');
    expect(await dialog.findByText('The list is shared by link now.')).toBeInTheDocument();
    expect(dialog.getByRole('radio', { name: /^By link/ })).toHaveFocus();
    expect(dialog.getByRole('link', { name: 'See its page' })).toHaveAttribute('href', '/list/X7');
    await userEvent.click(dialog.getByRole('radio', { name: /^Public page/ }));
    expect(dialog.getByText('It gets another link, and the one that it has now ends. The members who follow it keep it.')).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: 'Make it public' }));
    await waitFor(() => expect(dialog.getByRole('textbox')).toHaveValue('http://localhost:4000/list/simple-living'));
    expect(shared).toEqual([{ sharing: 'link' }, { sharing: 'public' }]);
  });

  it('copies the link, and says so in the dialog', async () => {
    const user = userEvent.setup();
    onServer = sampleReadingList({ id: ID, sharing: 'link', slug: 'X7' });
    const dialog = await openSharing();
    await user.click(dialog.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe('http://localhost:4000/list/X7');
    expect(await dialog.findByText('Link copied.')).toBeVisible();
  });

  it("sends the link with the system's share sheet, where there is one", async () => {
    const send = vi.fn<(data: ShareData) => Promise<void>>().mockResolvedValue();
    Object.assign(navigator, { share: send });
    onServer = sampleReadingList({ id: ID, sharing: 'link', slug: 'X7' });
    const dialog = await openSharing();
    await userEvent.click(dialog.getByRole('button', { name: 'Send it' }));
    expect(send).toHaveBeenCalledWith({ title: 'Simple living', url: 'http://localhost:4000/list/X7' });
    Reflect.deleteProperty(navigator, 'share');
  });

  it('warns before it ends, with those who follow', async () => {
    onServer = sampleReadingList({ id: ID, sharing: 'public', slug: 'simple-living' });
    others.followers = [{ id: ID, members: 3 }];
    const dialog = await openSharing();
    await userEvent.click(dialog.getByRole('radio', { name: /^Private/ }));
    expect(await dialog.findByText('Its link ends. 3 members who follow it lose it. If you share it again, it gets another one.')).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: 'Leave it as it is' }));
    expect(dialog.getByRole('radio', { name: /^Public/ })).toBeChecked();
    await userEvent.click(dialog.getByRole('radio', { name: /^Private/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Make it private' }));
    await waitFor(() => expect(dialog.queryByRole('textbox')).toBeNull());
    expect(stored().sharing).toBe('private');
  });

  it('says why it was refused', async () => {
    share = () => failure(403, 'taken_down', 'This list was taken down. Please contact us.');
    const dialog = await openSharing();
    await userEvent.click(dialog.getByRole('radio', { name: /^Public/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Make it public' }));
    expect(await dialog.findByText('This list was taken down. Please contact us.')).toBeVisible();
  });

  it('is not possible after the list was taken down', async () => {
    onServer = sampleReadingList({ id: ID, isTakenDown: true });
    const dialog = await openSharing();
    expect(dialog.getByText(/^This list was taken down\. It can’t be shared until we allow it\./)).toBeVisible();
    expect(dialog.getByRole('link', { name: 'Please contact us.' })).toHaveAttribute('href', '/contact');
    expect(dialog.getByRole('radio', { name: /^Public/ })).toBeDisabled();
    expect(dialog.getByRole('radio', { name: /^By link/ })).toBeDisabled();
  });

  it('needs a list that the server has', async () => {
    server.use(on('PUT /api/study/lists/{id}', () => failure(409, 'too_many_lists', 'You have 200 lists. Please delete one first.')));
    await studyStore.load(ADA);
    await studyStore.putList(sampleReadingList({ id: 77, version: null }));
    const dialog = await openSharing('/lists/77');
    await userEvent.click(dialog.getByRole('radio', { name: /^By link/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Share by link' }));
    expect(await dialog.findByText('You have 200 lists. Please delete one first.')).toBeVisible();
    expect(shared).toEqual([]);
  });

  it('has nothing of a team without seats', async () => {
    const dialog = await openSharing();
    await waitFor(() => expect(queryClient.getQueryData(['member', 'lists'])).toBeDefined());
    expect(dialog.queryByRole('checkbox')).toBeNull();
  });

  it('gives a list to the team, and takes it back (study.team-lists)', async () => {
    others.seats = 5;
    const dialog = await openSharing();
    const team = await dialog.findByRole('checkbox', { name: 'Give it to my team' });
    expect(team).toHaveAccessibleDescription('The members with your 5 seats see it, with your first name.');
    await userEvent.click(team);
    expect(await dialog.findByRole('link', { name: 'See the page of your team' })).toHaveAttribute('href', '/lists/team/9');
    expect(team).toBeChecked();
    expect(dialog.getByRole('radio', { name: /^Private\s*You alone see it, and your team\.$/ })).toBeChecked();
    await userEvent.click(team);
    expect(dialog.getByText('Its page for your team ends, and so does what members agreed to show.')).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: 'Leave it as it is' }));
    expect(team).toBeChecked();
    await userEvent.click(team);
    expect(shared).toEqual([{ isForTeam: true }]);
    await userEvent.click(dialog.getByRole('button', { name: 'Take it from my team' }));
    await waitFor(() => expect(dialog.queryByRole('link', { name: 'See the page of your team' })).toBeNull());
    expect(team).not.toBeChecked();
    expect(shared).toEqual([{ isForTeam: true }, { isForTeam: false }]);
  });

  it('says nothing of seats while it is not known how many there are', async () => {
    onServer = sampleReadingList({ id: ID, teamListId: 9 });
    server.use(on('GET /api/study/lists', () => failure(503, 'unavailable', 'Busy.')));
    const dialog = await openSharing();
    expect(dialog.getByRole('checkbox', { name: 'Give it to my team' })).toBeChecked();
    expect(dialog.queryByText('You have no seats now: no team sees it.')).toBeNull();
  });

  it('waits until a change before it was sent', async () => {
    let isBroken = true;
    onServer = sampleReadingList({ id: ID, sharing: 'link', slug: 'X7' });
    const dialog = await openSharing();
    server.use(
      on('PUT /api/study/lists/{id}', ({ body }) => {
        if (isBroken) return failure(503, 'unavailable', 'Busy.');
        save(body as Partial<ReadingList>);
        return { list: onServer } as unknown as ResultOf<'PUT /api/study/lists/{id}'>;
      }),
    );
    await studyStore.putList({ ...stored(), name: { value: 'Enough', at: 9 } });
    await userEvent.click(dialog.getByRole('radio', { name: /^Public/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Make it public' }));
    expect(await dialog.findByText('There was an error processing your request.')).toBeVisible();
    expect(shared).toEqual([]);
    // What hides it does not wait.
    await userEvent.click(dialog.getByRole('radio', { name: /^Private/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Make it private' }));
    await waitFor(() => expect(shared).toEqual([{ sharing: 'private' }]));
    isBroken = false;
    await userEvent.click(await dialog.findByRole('radio', { name: /^Public/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Make it public' }));
    await waitFor(() => expect(shared).toEqual([{ sharing: 'private' }, { sharing: 'public' }]));
    expect(onServer.name.value).toBe('Enough');
  });

  it('says why the team could not get the list', async () => {
    others.seats = 5;
    share = () => failure(403, 'no_seats', 'You have no seats.');
    const dialog = await openSharing();
    await userEvent.click(await dialog.findByRole('checkbox', { name: 'Give it to my team' }));
    expect(await dialog.findByText('You have no seats.')).toBeVisible();
    expect(dialog.getByRole('checkbox')).not.toBeChecked();
  });
});
