import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { call, setResponseCopies } from '@/api/client';
import { session } from '@/api/session';
import type { Book, ResultOf, User } from '@/api/types';
import { COPIES_KEPT_DAYS, copiesOwner } from '@/shared/offline/copiesOwner';
import {
  BOOKS_KEPT,
  findCopy,
  keptBooks,
  removeCopies,
  removeBook,
  renewCopies,
  storeLocalChange,
  storeResponse,
  sweepCopies,
} from '@/shared/offline/offlineCopies';
import { storeUnsent } from '@/shared/positions/places';
import { studyStore } from '@/shared/study/studyStore';
import { sampleBook, sampleUser } from '@test/samples';
import { on, server } from '@test/server';
import { sampleHighlight } from '@test/study';

const DAY = 86_400_000;
type BookResult = ResultOf<'GET /api/books/{id}'>;

const bookResult = (id: number, user: User, more: Partial<Book> = {}): BookResult => ({
  user,
  book: {
    ...sampleBook(id),
    body: '<h3>One</h3><p>Text.</p>',
    truncatedBody: null,
    showPremiumContent: true,
    completed: false,
    position: 0,
    place: null,
    isInLibrary: false,
    hasRatingsFromUser: false,
    sections: [{ title: 'One', place: 0 }],
    ...more,
  } as Book,
});

const ada = sampleUser({ id: 7 });
const ben = sampleUser({ id: 8 });
const BOOK = '/api/books/book-1';

const store = (id: number, user: User, more: Partial<Book> = {}, url = `/api/books/book-${id}`) =>
  storeResponse('GET /api/books/{id}', url, bookResult(id, user, more), session.ends());
const find = async (url = BOOK) => (await findCopy('GET /api/books/{id}', url)) as BookResult | undefined;

/** Stands in for the Cache API, which jsdom lacks. */
const cached = new Map<string, Set<string>>();
beforeEach(async () => {
  cached.clear();
  vi.stubGlobal('caches', {
    open: (name: string) => {
      const files = cached.get(name) ?? new Set<string>();
      cached.set(name, files);
      return Promise.resolve({
        match: (file: string) => Promise.resolve(files.has(file) ? new Response() : undefined),
        add: (file: string) => Promise.resolve(void files.add(file)),
        keys: () => Promise.resolve([...files].map((file) => ({ url: new URL(file, 'http://localhost:4000').href }))),
        delete: ({ url }: { url: string }) => Promise.resolve(files.delete(new URL(url).pathname)),
      });
    },
    delete: (name: string) => Promise.resolve(cached.delete(name)),
  });
  session.start('token');
  await removeCopies();
});
afterEach(() => {
  session.end('left');
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a summary that was opened', () => {
  it('is found by its id and its subid, with its cover', async () => {
    await store(1, ada);
    expect((await find())?.book.body).toContain('Text.');
    expect((await find('/api/books/1'))?.book.title).toBe('Book 1');
    expect(await find('/api/books/book-2')).toBeUndefined();
    expect([...(cached.get('pictures') ?? [])]).toEqual(['/media/book-1.svg']);
  });

  it('is kept no longer when the server shows a preview', async () => {
    await store(1, ada);
    await store(1, ada, { body: null }, `${BOOK}?preview=true`);
    expect(await find()).toBeDefined();
    await store(1, ada, { body: null });
    expect(await find()).toBeUndefined();
  });

  it('goes with the plan that opened it, unless it is free', async () => {
    const paid = sampleUser({ id: 7, isPaid: true });
    await store(1, paid);
    await store(2, paid, { free: true });
    await store(3, ada, { body: null });
    expect((await keptBooks()).map(({ id }) => id)).toEqual([2]);
  });

  it('shows what was done offline', async () => {
    await store(1, ada);
    await storeLocalChange({ member: 7, book: 1, position: 3, at: 1, completed: true });
    await storeLocalChange({ kind: 'library', member: 7, book: 1, isInLibrary: true, at: 2 });
    await storeLocalChange({ kind: 'rating', member: 7, book: 1, subid: 'book-1', rating: 4, feedback: '', at: 3 });
    expect((await find())?.book).toMatchObject({ completed: true, position: 3, isInLibrary: true, hasRatingsFromUser: true });
  });

  it('is removed when the member asks, with a cover that nothing else shows', async () => {
    await store(1, ada);
    await store(2, ada);
    await removeBook(1);
    expect((await keptBooks()).map(({ id }) => id)).toEqual([2]);
    expect([...(cached.get('pictures') ?? [])]).toEqual(['/media/book-2.svg']);
  });
});

describe('copies belong to one member', () => {
  it('are not found after the session has ended', async () => {
    await store(1, ada);
    session.end('ended');
    expect(await find()).toBeUndefined();
    expect(await keptBooks()).toEqual([]);
  });

  it('are removed before anything of another member is stored', async () => {
    await store(1, ada);
    session.end('left');
    session.start('another token');
    await store(2, ben);
    expect(await find()).toBeUndefined();
    expect((await keptBooks()).map(({ id }) => id)).toEqual([2]);
    expect([...(cached.get('pictures') ?? [])]).toEqual(['/media/book-2.svg']);
  });

  it('are not stored when the response comes after the end of its session', async () => {
    const ends = session.ends();
    session.end('left');
    session.start('another token');
    await storeResponse('GET /api/books/{id}', BOOK, bookResult(1, ada), ends);
    await store(2, ben);
    expect((await keptBooks()).map(({ id }) => id)).toEqual([2]);
  });

  it('are removed at the next start when a removal was broken off', async () => {
    await store(1, ada);
    copiesOwner.end();
    expect(await find()).toBeUndefined();
    await sweepCopies();
    await store(2, ada);
    expect((await keptBooks()).map(({ id }) => id)).toEqual([2]);
  });
});

describe('study records', () => {
  const read = (member: number) => studyStore.receive(member, { highlights: [sampleHighlight()], cursor: 5, isEnd: true });
  const cursors = async () => [await studyStore.cursor(ada.id), await studyStore.cursor(ben.id)];

  it('of the member who claims the device stay, also when they were read before, and those of another one go', async () => {
    await read(ada.id);
    await store(1, ada);
    expect(await cursors()).toEqual([5, 0]);
    session.end('left');
    session.start('another token');
    await read(ben.id);
    await store(2, ben);
    expect(await cursors()).toEqual([0, 5]);
  });

  it('stay when the copies are swept while their member claims the device', async () => {
    await read(ada.id);
    const claimed = store(1, ada);
    // The claim has begun.
    await Promise.resolve();
    expect(copiesOwner.isSet()).toBe(true);
    await sweepCopies();
    await claimed;
    expect([await cursors(), copiesOwner.current()?.member]).toEqual([[5, 0], ada.id]);
  });

  it('go with the session', async () => {
    await read(ada.id);
    await removeCopies();
    expect(await cursors()).toEqual([0, 0]);
  });
});

describe('retention', () => {
  it(`ends ${COPIES_KEPT_DAYS} days after the last response`, async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_900_000_000_000 });
    await store(1, ada);
    vi.setSystemTime(1_900_000_000_000 + COPIES_KEPT_DAYS * DAY - 1000);
    expect(await find()).toBeDefined();
    vi.setSystemTime(1_900_000_000_000 + COPIES_KEPT_DAYS * DAY + 1000);
    expect(await find()).toBeUndefined();
    await sweepCopies();
    expect(copiesOwner.isSet()).toBe(false);
  });

  it(`keeps the ${BOOKS_KEPT} summaries that were opened last`, async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_900_000_000_000 });
    for (let id = 1; id <= BOOKS_KEPT + 1; id++) {
      vi.setSystemTime(1_900_000_000_000 + id);
      await store(id, ada);
    }
    vi.setSystemTime(1_900_000_001_000);
    await find('/api/books/book-1');
    await sweepCopies();
    const kept = (await keptBooks()).map(({ id }) => id);
    expect(kept).toHaveLength(BOOKS_KEPT);
    expect(kept[0]).toBe(1);
    expect(kept).not.toContain(2);
  });
});

describe('the client', () => {
  beforeEach(() =>
    setResponseCopies({
      store: (...response) => void storeResponse(...response),
      find: findCopy,
    }),
  );

  it('answers with the copy when the server can’t be reached, and with a refusal when it refuses', async () => {
    server.use(on('GET /api/books/{id}', () => bookResult(1, ada)));
    await call('GET /api/books/{id}', { path: { id: 'book-1' } });
    await vi.waitFor(async () => expect(await find()).toBeDefined());
    server.use(on('GET /api/books/{id}', () => Response.error()));
    expect((await call('GET /api/books/{id}', { path: { id: 'book-1' } })).book.title).toBe('Book 1');
    await expect(call('GET /api/books/{id}', { path: { id: 'book-9' } })).rejects.toMatchObject({ status: 0 });
    server.use(on('GET /api/books/{id}', () => new Response('{"status":"error","error":"gone","code":"not_found"}', { status: 404 })));
    await expect(call('GET /api/books/{id}', { path: { id: 'book-1' } })).rejects.toMatchObject({ status: 404 });
  });

  it('keeps what the member has saved and may read, without taking anything, four times a day', async () => {
    const asked: string[] = [];
    const entry = (id: number) => ({ ...sampleBook(id), saved: true, completed: false, position: null, sectionsTotal: 1 });
    server.use(
      on('GET /api/library', () => ({
        user: ada,
        books: [entry(1), entry(2), { ...entry(3), saved: false, completed: true }],
        counts: { all: 3, reading: 0, finished: 1, saved: 2 },
        next: null,
      })),
      on('GET /api/books/{id}', ({ request }) => {
        const { pathname, search } = new URL(request.url);
        asked.push(search);
        const id = Number(pathname.slice(-1));
        return bookResult(id, ada, id === 2 ? { body: null } : {});
      }),
    );
    const library = () =>
      call('GET /api/library', { query: { limit: 20 } }).then(() =>
        vi.waitFor(async () => expect(await findCopy('GET /api/library', '/api/library?limit=20')).toBeDefined()),
      );
    await renewCopies([library]);
    await renewCopies([library]);
    await vi.waitFor(async () => expect((await keptBooks()).map(({ id }) => id)).toEqual([1]));
    expect(asked).toEqual(['?preview=true&unlessOpen=true', '?preview=true&unlessOpen=true']);
  });

  it('shows a library with the changes that wait', async () => {
    const counts = { all: 1, reading: 0, finished: 0, saved: 1 };
    const finished = { ...sampleBook(3), saved: true, completed: true, position: 0, sectionsTotal: 1 };
    const entry = { ...sampleBook(2), saved: true, completed: false, position: null, sectionsTotal: 1 };
    server.use(on('GET /api/library', () => ({ user: ada, books: [entry, finished], counts, next: null })));
    await call('GET /api/library', { query: { limit: 20 } });
    await store(1, ada);
    await vi.waitFor(async () => expect(await findCopy('GET /api/library', '/api/library?limit=20')).toBeDefined());
    storeUnsent({ kind: 'library', member: 7, book: 1, isInLibrary: true, at: 1 });
    storeUnsent({ kind: 'library', member: 7, book: 2, isInLibrary: false, at: 2 });
    storeUnsent({ kind: 'library', member: 7, book: 3, isInLibrary: false, at: 3 });
    server.use(on('GET /api/library', () => Response.error()));
    const { books } = await call('GET /api/library', { query: { limit: 20 } });
    expect(books.map(({ id, saved }) => [id, saved])).toEqual([
      [1, true],
      [3, false],
    ]);
  });
});
