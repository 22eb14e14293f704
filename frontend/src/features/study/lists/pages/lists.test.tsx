import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { ResultOf } from '@/api/types';
import * as ListsPage from '@/features/study/lists/pages/ListsPage';
import type { OtherLists } from '@/features/study/lists/queries';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import type { ReadingList } from '@/shared/study/lists/list';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';
import { Toaster } from '@/ui/toast';
import { sampleBook, sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';
import { sampleChanges, sampleListBook, sampleReadingList } from '@test/study';

const ADA = 7;

/** What the server has. */
let onServer: ReadingList[];
let others: OtherLists;
let isDown: boolean;

const list = (id: number, name: string, more: Partial<ReadingList> = {}) => sampleReadingList({ id, name: { value: name, at: 1 }, version: id, ...more });
const books = (count: number) =>
  Array.from({ length: count }, (_, i) => sampleListBook({ bookId: i + 1, title: `Book ${i + 1}`, image: `/media/book-${i + 1}.svg`, rank: `a${i}` }));
const followed = (slug: string, name: string) => ({ slug, name, count: 6, books: [sampleBook(1), sampleBook(2)] });

function open(path = '/lists') {
  const router = createMemoryRouter(
    [
      { path: '/lists', ...ListsPage },
      { path: '*', Component: () => <p>elsewhere</p> },
    ],
    { initialEntries: [path] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>,
  );
  return { at: () => router.state.location.pathname };
}

const section = async (name: string) => within(await screen.findByRole('region', { name }));
const names = (of: Awaited<ReturnType<typeof section>>) => of.queryAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
const entry = (name: string) => within(screen.getByRole('link', { name }).closest<HTMLElement>('li') ?? document.body);

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
  onServer = [];
  others = { followed: [], team: [], followers: [], seats: 0, finished: [] };
  isDown = false;
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: ADA }) })),
    on('GET /api/study/changes', () =>
      isDown ? failure(503, 'unavailable', 'Busy.') : sampleChanges({ lists: onServer as ResultOf<'GET /api/study/changes'>['lists'], version: 9 }),
    ),
    on('GET /api/study/lists', () => (isDown ? failure(503, 'unavailable', 'Busy.') : others)),
    on('PUT /api/study/lists/{id}', ({ request, body }) => {
      const id = Number(request.url.split('/').at(-1));
      const known = studyStore.snapshot().lists.get(id)?.state;
      return { list: { ...known, ...(body as object), books: known?.books, id, version: 100 } } as unknown as ResultOf<'PUT /api/study/lists/{id}'>;
    }),
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

describe('the page of the lists (study.list-pages)', () => {
  it('shows the own lists by name: how many summaries, how they are shared, and how many follow', async () => {
    onServer = [
      list(1, 'Work', { books: books(5), sharing: 'public', slug: 'work' }),
      list(2, 'Calm', { books: books(1), sharing: 'link', slug: 'X7' }),
      list(3, 'Empty', { books: [] }),
      list(4, 'Taken', { books: [], isTakenDown: true }),
      list(5, 'Deleted', { deletedAt: 5 }),
    ];
    others.followers = [
      { id: 1, members: 3 },
      { id: 2, members: 1 },
    ];
    open();
    const own = await section('My lists');
    expect(await own.findByText('Followed by 3 members')).toBeVisible();
    expect(names(own)).toEqual(['Calm', 'Empty', 'Taken', 'Work']);
    expect(screen.getByRole('link', { name: 'Work' })).toHaveAttribute('href', '/lists/1');
    expect(entry('Work').getByText('5 summaries')).toBeVisible();
    expect(entry('Work').getByText('Public')).toBeVisible();
    expect(entry('Calm').getByText('1 summary')).toBeVisible();
    expect(entry('Calm').getByText('By link')).toBeVisible();
    expect(entry('Calm').getByText('Followed by 1 member')).toBeVisible();
    expect(entry('Empty').getByText('Private')).toBeVisible();
    expect(entry('Taken').getByText('Private, taken down')).toBeVisible();
    const covers = screen.getByRole('link', { name: 'Work' }).closest('li')?.querySelectorAll('img') ?? [];
    expect([...covers].map((image) => image.getAttribute('src'))).toEqual([1, 2, 3, 4].map((n) => `/media/book-${n}.svg`));
    expect(document.title).toMatch(/^Lists/);
  });

  it('shows that it loads until the first read is done', async () => {
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      on('GET /api/study/changes', async () => {
        await waiting;
        return sampleChanges();
      }),
      on('GET /api/study/lists', async () => {
        await waiting;
        return others;
      }),
    );
    open();
    expect(await screen.findByText('Loading your lists')).toBeInTheDocument();
    expect(screen.getByText('Loading the lists you follow')).toBeInTheDocument();
    release();
    expect(await screen.findByRole('heading', { name: 'No lists yet' })).toBeVisible();
    expect(screen.queryByText('Loading your lists')).toBeNull();
  });

  it('says how to begin when there are none', async () => {
    open();
    expect(await screen.findByRole('heading', { name: 'No lists yet' })).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'My lists' })).toBeNull();
    expect(await screen.findByText('When you follow a list that another member shares, you find it here, as they keep it.')).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Your team’s lists' })).toBeNull();
    expect(screen.getByRole('button', { name: 'New list' })).toBeVisible();
  });

  it('makes a new list and opens it', async () => {
    const { at } = open();
    await userEvent.click(await screen.findByRole('button', { name: 'New list' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New list' }));
    const name = dialog.getByRole('textbox', { name: 'Name' });
    expect(name).toHaveFocus();
    await userEvent.click(dialog.getByRole('button', { name: 'Create the list' }));
    expect(await dialog.findByText('Please name the list.')).toBeVisible();
    await userEvent.type(name, '  For   a trip ');
    const note = dialog.getByRole('textbox', { name: 'Note' });
    await userEvent.click(note);
    await userEvent.paste('x'.repeat(2_001));
    await userEvent.click(dialog.getByRole('button', { name: 'Create the list' }));
    expect(await dialog.findByText('Please keep the note to 2,000 characters.')).toBeVisible();
    await userEvent.clear(note);
    await userEvent.type(note, 'By train.');
    await userEvent.click(dialog.getByRole('button', { name: 'Create the list' }));
    expect(await screen.findByText('elsewhere')).toBeVisible();
    const made = [...studyStore.snapshot().lists.values()][0]?.state;
    expect(at()).toBe(`/lists/${made?.id}`);
    expect(made).toMatchObject({ name: { value: 'For a trip' }, note: { value: 'By train.' }, books: [], sharing: 'private' });
  });

  it('makes no list beyond 200', async () => {
    onServer = Array.from({ length: 200 }, (_, i) => list(i + 1, `List ${i}`, { books: [] }));
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'New list' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'One more{Enter}');
    expect(await screen.findByText('You have 200 lists. Please delete one first.')).toBeVisible();
    expect(studyStore.snapshot().lists.size).toBe(200);
  });

  it('says what the server refuses', async () => {
    server.use(on('PUT /api/study/lists/{id}', () => failure(422, 'validation_failed', 'A list has up to 200 books.', { field: 'books' })));
    await studyStore.load(ADA);
    await studyStore.putList(list(1, 'Work', { version: null }));
    open();
    expect(await screen.findByText('This list could not be saved: A list has up to 200 books.')).toBeVisible();
  });

  it('sends a list again that was refused', async () => {
    let isRefused = true;
    server.use(
      on('PUT /api/study/lists/{id}', () =>
        isRefused
          ? failure(422, 'too_many_lists', 'You have 200 lists. Please delete one first.')
          : ({ list: list(1, 'Work', { version: 7 }) } as unknown as ResultOf<'PUT /api/study/lists/{id}'>),
      ),
    );
    await studyStore.load(ADA);
    await studyStore.putList(list(1, 'Work', { version: null }));
    open();
    const retry = await screen.findByRole('button', { name: 'Try again to save Work' });
    await userEvent.click(retry);
    await waitFor(() => expect(retry).not.toHaveAttribute('aria-disabled'));
    expect(screen.getByText('This list could not be saved: You have 200 lists. Please delete one first.')).toBeVisible();
    expect(retry).toHaveFocus();
    isRefused = false;
    await userEvent.click(retry);
    await waitFor(() => expect(screen.queryByText(/^This list could not be saved/)).toBeNull());
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    expect(studyStore.snapshot().lists.get(1)?.unsent).toBeUndefined();
  });

  it('says that changes are not sent while the server is down', async () => {
    server.use(on('PUT /api/study/lists/{id}', () => failure(503, 'unavailable', 'Busy.')));
    await studyStore.load(ADA);
    await studyStore.putList(list(1, 'Work', { version: null, teamListId: 9 }));
    open();
    expect(await screen.findByRole('link', { name: 'Work' })).toBeVisible();
    expect(entry('Work').getByText('Given to your team')).toBeVisible();
    expect(await entry('Work').findByText('Not sent yet', undefined, { timeout: 5_000 })).toBeVisible();
  });
});

describe('the lists of others on it', () => {
  it('lead to their pages', async () => {
    others.followed = [followed('decide', 'How to decide')];
    others.team = [
      { id: 4, name: 'To start with', owner: 'Grace', isOwn: false, count: 2, books: [] },
      { id: 5, name: 'Ours', owner: 'Ada', isOwn: true, count: 1, books: [] },
    ];
    open();
    const follows = await section('Lists you follow');
    expect(await follows.findByRole('link', { name: 'How to decide' })).toHaveAttribute('href', '/list/decide');
    expect(follows.getByText('6 summaries')).toBeVisible();
    const team = await section('Your team’s lists');
    expect(team.getByRole('link', { name: 'To start with' })).toHaveAttribute('href', '/lists/team/4');
    expect(entry('To start with').getByText('From Grace')).toBeVisible();
    expect(entry('Ours').getByText('From you')).toBeVisible();
  });

  it('tells a buyer of seats how the team gets a list', async () => {
    others.seats = 5;
    open();
    const team = await section('Your team’s lists');
    expect(team.getByText('Your team has no list yet. To give it one, open a list of yours and press “Share”.')).toBeVisible();
  });

  it('are left with an Undo; the next one takes the focus', async () => {
    others.followed = [followed('a', 'First'), followed('b', 'Second'), followed('c', 'Third')];
    const sent: string[] = [];
    const set = (slug: string, isFollowed: boolean) => {
      sent.push(`${isFollowed ? 'follow' : 'leave'} ${slug}`);
      others.followed = others.followed.filter((one) => one.slug !== slug);
      if (isFollowed) others.followed.push(followed(slug, 'Second'));
      return { isFollowed };
    };
    const slugOf = (request: Request) => request.url.split('/').at(-2) ?? '';
    server.use(
      on('DELETE /api/lists/{slug}/follow', ({ request }) => set(slugOf(request), false)),
      on('PUT /api/lists/{slug}/follow', ({ request }) => set(slugOf(request), true)),
    );
    open();
    const follows = await section('Lists you follow');
    await userEvent.click(await follows.findByRole('button', { name: 'Leave Second' }));
    await waitFor(() => expect(names(follows)).toEqual(['First', 'Third']));
    expect(follows.getByRole('button', { name: 'Leave Third' })).toHaveFocus();
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(names(follows)).toContain('Second'));
    await waitFor(() => expect(sent).toEqual(['leave b', 'follow b']));
    // The toast's button had the focus.
    await waitFor(() => expect(follows.getByRole('button', { name: 'Leave Second' })).toHaveFocus());
  });

  it('are left as they were when the Undo fails; the next one takes the focus', async () => {
    others.followed = [followed('a', 'First'), followed('b', 'Second')];
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      on('DELETE /api/lists/{slug}/follow', () => {
        others.followed = others.followed.slice(1);
        return { isFollowed: false };
      }),
      on('PUT /api/lists/{slug}/follow', async () => {
        await waiting;
        return failure(404, 'not_found', 'There is no such list.');
      }),
    );
    open();
    const follows = await section('Lists you follow');
    await userEvent.click(await follows.findByRole('button', { name: 'Leave First' }));
    await userEvent.click((await screen.findAllByRole('button', { name: 'Undo' })).at(-1) ?? document.body);
    await waitFor(() => expect(follows.getByRole('button', { name: 'Leave First' })).toHaveFocus());
    release();
    expect(await screen.findByText('“First” could not be followed again. There is no such list.')).toBeInTheDocument();
    await waitFor(() => expect(names(follows)).toEqual(['Second']));
    await waitFor(() => expect(follows.getByRole('button', { name: 'Leave Second' })).toHaveFocus());
  });

  it('do not come back when several are left in a row', async () => {
    others.followed = [followed('a', 'First'), followed('b', 'Second'), followed('c', 'Third')];
    const waiting = new Map<string, () => void>();
    let reads = 0;
    server.use(
      on('GET /api/study/lists', () => {
        reads += 1;
        return others;
      }),
      on('DELETE /api/lists/{slug}/follow', async ({ request }) => {
        const slug = request.url.split('/').at(-2) ?? '';
        await new Promise<void>((resolve) => waiting.set(slug, resolve));
        others.followed = others.followed.filter((one) => one.slug !== slug);
        return { isFollowed: false };
      }),
    );
    open();
    const follows = await section('Lists you follow');
    await userEvent.click(await follows.findByRole('button', { name: 'Leave First' }));
    await userEvent.click(await follows.findByRole('button', { name: 'Leave Second' }));
    await waitFor(() => expect([...waiting.keys()]).toEqual(['a', 'b']));
    const seen = new Set<string>();
    const stop = queryClient.getQueryCache().subscribe(() => {
      for (const { slug } of queryClient.getQueryData<OtherLists>(['member', 'lists'])?.followed ?? []) seen.add(slug);
    });
    const before = reads;
    waiting.get('a')?.();
    expect(await screen.findByText('You no longer follow “First”.')).toBeInTheDocument();
    waiting.get('b')?.();
    await waitFor(() => expect(reads).toBeGreaterThan(before));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    stop();
    expect([...seen]).toEqual(['c']);
    expect(names(follows)).toEqual(['Third']);
  });

  it('have another link now, or are gone: they are read again', async () => {
    others.followed = [followed('a', 'First')];
    server.use(
      on('DELETE /api/lists/{slug}/follow', () => {
        others.followed = [followed('b', 'First')];
        return failure(404, 'not_found', 'There is no such list.');
      }),
    );
    open();
    const follows = await section('Lists you follow');
    await userEvent.click(await follows.findByRole('button', { name: 'Leave First' }));
    await waitFor(() => expect(follows.getByRole('link', { name: 'First' })).toHaveAttribute('href', '/list/b'));
    expect(screen.getByText('The link of “First” has changed. Please try again if you still follow it.')).toBeInTheDocument();
  });

  it('stay when they could not be left, with the reason', async () => {
    others.followed = [followed('a', 'First')];
    server.use(on('DELETE /api/lists/{slug}/follow', () => failure(500, 'internal', 'Broken.')));
    open();
    const follows = await section('Lists you follow');
    await userEvent.click(await follows.findByRole('button', { name: 'Leave First' }));
    expect(await screen.findByText('You still follow “First”. Broken.')).toBeInTheDocument();
    expect(names(follows)).toEqual(['First']);
  });
});

describe('without the server', () => {
  it('shows the own lists offline, and says that the others need a connection', async () => {
    await studyStore.load(ADA);
    await studyStore.receive(ADA, { lists: [list(1, 'Work')], cursor: 1, isEnd: true });
    await studyStore.putList(list(1, 'At work', { name: { value: 'At work', at: 9 } }));
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    isDown = true;
    server.use(on('PUT /api/study/lists/{id}', () => failure(503, 'unavailable', 'Busy.')));
    open();
    expect(await screen.findByRole('link', { name: 'At work' })).toBeVisible();
    expect(entry('At work').getByText('Not sent yet')).toBeVisible();
    expect(await screen.findByText('You are offline. The lists that you follow and those of your team need a connection.')).toBeVisible();
  });

  it('says that the lists could not be read, and tries again', async () => {
    isDown = true;
    open();
    const own = await section('My lists');
    const retry = await own.findByRole('button', { name: 'Try again' });
    isDown = false;
    onServer = [list(1, 'Work')];
    await userEvent.click(retry);
    expect(await screen.findByRole('link', { name: 'Work' })).toBeVisible();
  });

  it('says that the lists of others could not be read, and tries again', async () => {
    onServer = [list(1, 'Work')];
    let tries = 0;
    server.use(on('GET /api/study/lists', () => (tries++ === 0 ? failure(500, 'internal', 'Broken.') : others)));
    open();
    const follows = await section('Lists you follow');
    expect(await follows.findByText('Broken.')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'Work' })).toBeVisible();
    await userEvent.click(follows.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('When you follow a list that another member shares, you find it here, as they keep it.')).toBeVisible();
    expect(follows.getByRole('heading', { name: 'Lists you follow' })).toHaveFocus();
  });
});
