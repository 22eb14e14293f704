// Copies on this device for when the server can't be reached: summaries that a member has opened, with their covers; the
// latest responses of the member's own pages; downloaded recordings. They belong to one member and end with the session.
// Retention is documented in docs/ARCHITECTURE.md.
import { openDB } from 'idb';
import type { DBSchema, IDBPDatabase } from 'idb';
import { call } from '@/api/client';
import { serverNow } from '@/api/clock';
import { session } from '@/api/session';
import type { CallName, LibraryBook, ResultOf } from '@/api/types';
import { COPIES_KEPT_DAYS, copiesOwner } from '@/shared/offline/copiesOwner';
import { isPlaceChange, unsentChanges } from '@/shared/positions/places';
import type { UnsentChange } from '@/shared/positions/places';
import { hasStored } from '@/shared/study/studyFlags';
import { PERSONAL, PICTURES, RECORDINGS, coverFile, unsignedUrl } from '@/lib/deviceCaches';

type BookResult = ResultOf<'GET /api/books/{id}'>;
type LibraryResult = ResultOf<'GET /api/library'>;
type Recording = ResultOf<'GET /api/books/{id}/audio'>;

/** How many summaries are kept; the least recently opened are removed. */
export const BOOKS_KEPT = 200;
const DAY = 86_400_000;
/** How many responses of a member's own pages are kept; the oldest are removed. */
export const RESPONSES_KEPT = 40;
/** Minimum time between two renewals of the copies of a member's pages, in milliseconds. */
const RENEW_EVERY = DAY / 4;

/** The copy of a summary. */
interface BookCopy {
  id: number;
  subid: string;
  result: BookResult;
  /** When it was last opened or stored here, in ms. */
  used: number;
  /** The member may read it because of their plan: removed when the plan has ended. */
  byPlan: boolean;
}

/** A downloaded recording. */
interface RecordingCopy {
  id: number;
  subid: string;
  recording: Recording;
  /** The cache key of the file. */
  file: string;
  bytes: number;
  byPlan: boolean;
}

/** The latest response to a call. */
interface ResponseCopy {
  url: string;
  result: unknown;
  stored: number;
}

interface Copies extends DBSchema {
  books: { key: number; value: BookCopy };
  recordings: { key: number; value: RecordingCopy };
  responses: { key: string; value: ResponseCopy };
}

const STORES = ['books', 'recordings', 'responses'] as const;

/** Calls of a member's own pages, whose latest responses are kept. */
const PAGES: ReadonlySet<CallName> = new Set<CallName>([
  'GET /api/books',
  'GET /api/categories',
  'GET /api/insight',
  'GET /api/library',
  'GET /api/user-book-history',
  'GET /api/user-book-history/xp',
  'GET /api/user/account',
  'GET /api/user/allowance',
]);

let opening: Promise<IDBPDatabase<Copies>> | null = null;

function database(): Promise<IDBPDatabase<Copies>> {
  opening ??= openDB<Copies>('pith-copies', 1, {
    upgrade(db) {
      db.createObjectStore('books', { keyPath: 'id' });
      db.createObjectStore('recordings', { keyPath: 'id' });
      db.createObjectStore('responses', { keyPath: 'url' });
    },
    terminated() {
      opening = null;
    },
  });
  opening.catch(() => {
    opening = null;
  });
  return opening;
}

const listeners = new Set<() => void>();
/** Subscribes to changes of the copies; returns the function that unsubscribes. */
export const onCopiesChanged = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const changed = () => {
  for (const listener of listeners) listener();
};

/** The Cache API; undefined in insecure contexts, which store no pictures or recordings. */
const cachesHere = (): CacheStorage | undefined => (globalThis as { caches?: CacheStorage }).caches;

/** Removes all copies from this device. The study records of the member who claims it stay: they may just have been read. */
export async function removeCopies(claimant?: number): Promise<void> {
  copiesOwner.end();
  const db = await database();
  const all = db.transaction(STORES, 'readwrite');
  await Promise.all([...STORES.map((store) => all.objectStore(store).clear()), all.done]);
  for (const name of PERSONAL) await cachesHere()?.delete(name);
  if (hasStored()) await (await import(/* webpackChunkName: "study-store" */ '@/shared/study/studyStore')).studyStore.removeSent(claimant);
  copiesOwner.clear();
  changed();
}

let claiming: Promise<unknown> = Promise.resolve();

/** Makes this member the owner of the copies, after a response to them; another member's copies are removed. */
function claim(member: { id: number; isPaid: boolean }, ends: number): Promise<void> {
  const claimed = claiming.then(async () => {
    if (isLate(ends)) return;
    if (copiesOwner.current()?.member !== member.id) await removeCopies(member.id);
    if (isLate(ends)) return;
    copiesOwner.set(member.id);
    if (!member.isPaid) await removePlanCopies();
  });
  claiming = claimed.catch(() => undefined);
  return claimed;
}

/** Whether the session in which the response was requested has ended. */
const isLate = (ends: number) => ends !== session.ends() || session.token() === null;

/** The member that a response belongs to; undefined when it names none. */
const memberIn = (result: unknown): { id: number; isPaid: boolean } | null | undefined => (result as { user?: { id: number; isPaid: boolean } | null }).user;

async function removePlanCopies(): Promise<void> {
  const db = await database();
  const books = (await db.getAll('books')).filter(({ byPlan }) => byPlan);
  const recordings = (await db.getAll('recordings')).filter(({ byPlan }) => byPlan);
  await Promise.all([...books.map(({ id }) => db.delete('books', id)), ...recordings.map(({ id }) => removeRecording(id))]);
  if (books.length + recordings.length > 0) changed();
}

/** Stores a copy of a response, if it belongs on the device. */
export async function storeResponse(name: CallName, url: string, result: unknown, ends: number): Promise<void> {
  const isBook = name === 'GET /api/books/{id}';
  if (!isBook && !PAGES.has(name)) return;
  const member = memberIn(result);
  if (member) await claim(member, ends);
  if (copiesOwner.current() === null) return;
  if (isBook) await storeBook(url, result as BookResult, ends);
  else await storePage(name, url, result, ends);
}

async function storePage(name: CallName, url: string, result: unknown, ends: number): Promise<void> {
  const db = await database();
  if (isLate(ends)) return;
  await db.put('responses', { url, result, stored: serverNow() });
  if (name === 'GET /api/library') await storePictures((result as LibraryResult).books, ends);
}

async function storeBook(url: string, result: BookResult, ends: number): Promise<void> {
  const { book, user } = result;
  const db = await database();
  if (isLate(ends)) return;
  if (book.body === null) {
    // A requested preview says nothing about the right to read, except with `unlessOpen`.
    if (!url.includes('preview=') || url.includes('unlessOpen=')) await db.delete('books', book.id);
    return;
  }
  // The notice about the last free summary was shown when it was used; opening it offline uses none.
  const kept: BookResult = { ...result, book: { ...book, lastFree: false } };
  await db.put('books', { id: book.id, subid: book.subid, result: kept, used: serverNow(), byPlan: Boolean(user?.isPaid) && !book.free });
  changed();
  await storePictures([book], ends);
}

async function storePictures(books: readonly { image: string | null }[], ends: number): Promise<void> {
  const files = books.flatMap(({ image }) => (image === null ? [] : [coverFile(image)]));
  for (const file of files) {
    const pictures = await cachesHere()?.open(PICTURES);
    if (!pictures || isLate(ends)) return;
    // A cover that can't be fetched now is fetched with the next response.
    if (!(await pictures.match(file))) await pictures.add(file).catch(() => undefined);
  }
}

/** The copy of a response, for when the server can't be reached; undefined when there is none. */
export async function findCopy(name: CallName, url: string): Promise<unknown> {
  const owner = copiesOwner.current();
  if (!owner) return undefined;
  const db = await database();
  const path = decodeURIComponent(new URL(url, window.location.origin).pathname);
  if (name === 'GET /api/books/{id}') {
    const id = path.slice('/api/books/'.length);
    const copy = (await db.getAll('books')).find((one) => one.subid === id || String(one.id) === id);
    if (copy) await db.put('books', { ...copy, used: serverNow() });
    return copy?.result;
  }
  if (name === 'GET /api/books/{id}/audio') {
    const id = path.slice('/api/books/'.length, -'/audio'.length);
    const copy = (await db.getAll('recordings')).find((one) => one.subid === id || String(one.id) === id);
    // The file is on this device, so its URL does not expire.
    return copy && { ...copy.recording, until: Number.MAX_SAFE_INTEGER };
  }
  const found = PAGES.has(name) ? await db.get('responses', url) : undefined;
  if (!found || serverNow() - found.stored > COPIES_KEPT_DAYS * DAY) return undefined;
  return name === 'GET /api/library' ? withUnsent(found.result as LibraryResult, url, owner.member, await db.getAll('books')) : found.result;
}

/** A page of the library with the changes that were not sent yet. */
function withUnsent(page: LibraryResult, url: string, member: number, copies: readonly BookCopy[]): LibraryResult {
  const isFirst = !url.includes('after=');
  const shelf = new URL(url, window.location.origin).searchParams.get('shelf');
  let { books } = page;
  for (const change of unsentChanges(member)) {
    if (isPlaceChange(change) || change.kind !== 'library') continue;
    // A finished book stays, saved or not.
    if (books.some(({ id, completed }) => id === change.book && completed)) {
      books = books.map((book) => (book.id === change.book ? { ...book, saved: change.isInLibrary } : book));
      continue;
    }
    books = books.filter(({ id }) => id !== change.book);
    const copy = copies.find(({ id }) => id === change.book);
    if (change.isInLibrary && isFirst && shelf === null && copy) books = [entryOf(copy), ...books];
  }
  const more = books.length - page.books.length;
  return more === 0 ? { ...page, books } : { ...page, books, counts: { ...page.counts, all: page.counts.all + more } };
}

const entryOf = ({ result: { book } }: BookCopy): LibraryBook => ({
  ...book,
  saved: true,
  completed: book.completed,
  position: book.place || book.completed ? book.position : null,
  sectionsTotal: book.sections.length,
});

/** Applies a change made on this device to the copy of the book, so that it shows before the server has acknowledged it. */
export async function storeLocalChange(change: UnsentChange): Promise<void> {
  if (copiesOwner.current()?.member !== change.member) return;
  try {
    const db = await database();
    const one = db.transaction('books', 'readwrite');
    const copy = await one.store.get(change.book);
    if (copy) {
      const { book } = copy.result;
      const now = isPlaceChange(change)
        ? {
            completed: book.completed || change.completed,
            position: change.position ?? book.position,
            place: book.place && {
              ...book.place,
              ...(change.position !== null && { paragraph: change.paragraph ?? null }),
              ...(change.audio !== undefined && { audio: change.audio }),
            },
          }
        : change.kind === 'rating'
          ? { hasRatingsFromUser: true, ownRating: { rating: change.rating, feedback: change.feedback } }
          : { isInLibrary: change.isInLibrary };
      await one.store.put({ ...copy, result: { ...copy.result, book: { ...book, ...now } } });
    }
    await one.done;
  } catch {
    // The queue stores the change itself; the copy only shows it.
  }
}

/** A summary on this device, for the list in the library. */
export interface KeptBook {
  id: number;
  book: BookResult['book'];
  /** The size of its recording in bytes; null when the recording is not downloaded. */
  recording: number | null;
}

/** The summaries on this device, most recently opened first. */
export async function keptBooks(): Promise<KeptBook[]> {
  if (!copiesOwner.current()) return [];
  const db = await database();
  const recordings = new Map((await db.getAll('recordings')).map(({ id, bytes }) => [id, bytes]));
  const books = await db.getAll('books');
  return books.sort((a, b) => b.used - a.used).map(({ id, result }) => ({ id, book: result.book, recording: recordings.get(id) ?? null }));
}

/** The size of a downloaded recording in bytes; null when it is not downloaded. */
export async function keptRecording(book: number): Promise<number | null> {
  if (!copiesOwner.current()) return null;
  return (await (await database()).get('recordings', book))?.bytes ?? null;
}

/** Whether this browser can store recordings and play them, which takes the service worker. */
export const canKeepRecordings = (): boolean => 'serviceWorker' in navigator && cachesHere() !== undefined;

/** The size of a book's recording, in bytes; null when the server does not say. */
export async function recordingSize(subid: string, signal?: AbortSignal): Promise<number | null> {
  const { url } = await call('GET /api/books/{id}/audio', { path: { id: subid }, ...(signal && { signal }) });
  const response = await fetch(url, { method: 'HEAD', ...(signal && { signal }) });
  const bytes = Number(response.headers.get('Content-Length') ?? Number.NaN);
  return response.ok && Number.isFinite(bytes) ? bytes : null;
}

/** Downloads a book's recording to this device. `onProgress` gets the bytes received so far. Rejects when it can't be stored. */
export async function keepRecording(book: { id: number; subid: string; free: boolean }, onProgress: (bytes: number) => void): Promise<void> {
  const ends = session.ends();
  const recording = await call('GET /api/books/{id}/audio', { path: { id: book.subid } });
  const file = unsignedUrl(recording.url);
  const response = await fetch(recording.url);
  if (!response.ok || !response.body) throw new Error(`The recording answers with ${response.status}.`);
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        onProgress(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
  const type = response.headers.get('Content-Type') ?? recording.type;
  const recordings = await cachesHere()?.open(RECORDINGS);
  if (!recordings || isLate(ends)) throw new Error('There is no session any more.');
  await recordings.put(file, new Response(counted, { headers: { 'Content-Type': type } }));
  const expected = Number(response.headers.get('Content-Length') ?? bytes);
  const db = await database();
  if (isLate(ends) || bytes < expected) {
    await recordings.delete(file);
    throw new Error('The recording is not whole.');
  }
  const byPlan = (await db.get('books', book.id))?.byPlan ?? !book.free;
  await db.put('recordings', { id: book.id, subid: book.subid, recording, file, bytes, byPlan });
  // Requests persistent storage, so that the browser does not evict the file. The browser may refuse.
  await (navigator as { storage?: StorageManager }).storage?.persist().catch(() => false);
  changed();
}

/** Removes a downloaded recording. */
export async function removeRecording(book: number): Promise<void> {
  const db = await database();
  const copy = await db.get('recordings', book);
  if (!copy) return;
  await db.delete('recordings', book);
  await (await cachesHere()?.open(RECORDINGS))?.delete(copy.file);
  changed();
}

/** Removes the copy of a summary, with its recording. */
export async function removeBook(book: number): Promise<void> {
  await removeRecording(book);
  await (await database()).delete('books', book);
  await removeUnusedPictures();
  changed();
}

async function removeUnusedPictures(): Promise<void> {
  const db = await database();
  const shown = [
    ...(await db.getAll('books')).map(({ result }) => result.book.image),
    ...(await db.getAll('responses')).flatMap(({ url, result }) =>
      url.startsWith('/api/library') ? (result as LibraryResult).books.map(({ image }) => image) : [],
    ),
  ];
  const used = new Set(shown.flatMap((image) => (image === null ? [] : [unsignedUrl(coverFile(image))])));
  const pictures = await cachesHere()?.open(PICTURES);
  if (!pictures) return;
  const unused = (await pictures.keys()).filter(({ url }) => !used.has(unsignedUrl(url)));
  await Promise.all(unused.map((request) => pictures.delete(request)));
}

/** Removes expired copies, and those beyond the limits. */
export async function sweepCopies(): Promise<void> {
  // While a claim removes copies, the device has no owner.
  await claiming;
  if (copiesOwner.isSet() && !copiesOwner.current()) {
    await removeCopies();
    return;
  }
  const db = await database();
  const books = (await db.getAll('books')).sort((a, b) => b.used - a.used);
  const recordings = new Set((await db.getAll('recordings')).map(({ id }) => id));
  // A summary with a downloaded recording stays, because the member chose it.
  for (const { id } of books.slice(BOOKS_KEPT)) if (!recordings.has(id)) await db.delete('books', id);
  const responses = (await db.getAll('responses')).sort((a, b) => b.stored - a.stored);
  const old = responses.filter(({ stored }, i) => i >= RESPONSES_KEPT || serverNow() - stored > COPIES_KEPT_DAYS * DAY);
  for (const { url } of old) await db.delete('responses', url);
  await removeUnusedPictures();
}

/** Key of the time at which the copies were last renewed. */
const RENEWED = 'renewed';

/**
 * Renews the copies of the member's pages, including pages not opened lately, and stores the summaries that the member has
 * saved and may read without using the allowance. At most four times a day.
 */
export async function renewCopies(pages: readonly (() => Promise<unknown>)[]): Promise<void> {
  const db = await database();
  const last = await db.get('responses', RENEWED);
  if (session.token() === null || (last && serverNow() - last.stored < RENEW_EVERY)) return;
  // One after the other, so that the open page is not slowed down.
  for (const page of pages) await page().catch(() => undefined);
  if (!copiesOwner.current()) return;
  await db.put('responses', { url: RENEWED, result: null, stored: serverNow() });
  const here = new Set((await db.getAll('books')).map(({ id }) => id));
  const library = (await db.getAll('responses')).flatMap(({ url, result }) => (url.startsWith('/api/library') ? (result as LibraryResult).books : []));
  const missing = new Map(library.filter((book) => book.saved && !book.comingSoon && !here.has(book.id)).map((book) => [book.id, book.subid]));
  for (const id of missing.values()) {
    await call('GET /api/books/{id}', { path: { id }, query: { preview: true, unlessOpen: true } }).catch(() => undefined);
  }
}
