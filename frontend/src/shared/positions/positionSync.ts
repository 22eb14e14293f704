// Position sync: sends reading positions, ratings and library changes from this browser to the server. One queue for reading,
// listening and what an earlier visit could not send; one call at a time. A change stays stored
// (shared/positions/places.ts) until the server acknowledges or refuses it. A position carries its own time, and the calls that
// change a rating or the library are idempotent, so a late or repeated call does no harm.
import type { createBrowserRouter } from 'react-router';
import { call } from '@/api/client';
import { isRetryable, isUnreached } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { RequestOf, Place, ResultOf } from '@/api/types';
import { accountQuery, currentMember } from '@/shared/session/account';
import { storeLocalChange } from '@/shared/offline/offlineCopies';
import type { UnsentLibrary, UnsentPlace, UnsentRating, Unowned } from '@/shared/positions/places';
import { allUnsent, covers, isPlaceChange, nextMoment, removeUnsent, sentNow, storeUnsent, unsentChanges } from '@/shared/positions/places';

/** A position to send; `member` is null when it is not known who is signed in. Such a position is not stored. */
export type PlaceToSend = Unowned<UnsentPlace>;
type ChangeToSend = PlaceToSend | Unowned<UnsentRating> | Unowned<UnsentLibrary>;

export type SaveResult = ResultOf<'PUT /api/user-book-history'>;

/** Called about a position that this page saves. */
export interface SaveEvents {
  /** The server has acknowledged it. `result` is null when another tab has sent it. */
  saved: (place: PlaceToSend, result: SaveResult | null) => void;
  /** An attempt failed. `willRetry`: it is sent again on the next occasion. */
  failed: (place: PlaceToSend, error: unknown, willRetry: boolean) => void;
}

interface Entry {
  change: ChangeToSend;
  /** Null for a change of an earlier visit. `saved` gets the call's result; null when another tab has sent it. */
  events: { saved: (result: unknown) => void; failed: (error: unknown, willRetry: boolean) => void } | null;
  /** It was attempted before, so another tab may send it too. */
  isRetry: boolean;
}

let waiting: Entry[] = [];
const inFlight = new Set<string>();
/** Failed changes of this page that can be retried, by key. */
const failed = new Map<string, Entry>();
/** Incremented at each logout: what fails after it is not retried under the next member's name. */
let sessions = 0;

const keyOf = ({ member, book, at }: ChangeToSend) => `${member}/${book}/${at}`;
const isStored = (change: ChangeToSend) => allUnsent().some((one) => keyOf(one) === keyOf(change));

/**
 * Invalidates the queries that positions change: home, progress, library, history. Not the books: fetching one opens it
 * (reading-progress.page-takes-nothing). `refetch`: the visible queries are fetched at once, otherwise when they are next used.
 */
const invalidateProgress = (refetch: boolean) =>
  queryClient.invalidateQueries({ queryKey: ['member'], predicate: ({ queryKey }) => queryKey[1] !== 'book', refetchType: refetch ? 'active' : 'none' });

/** Updates the cached book with the server's listening position, which covers all devices, so that playback resumes there. */
export function cacheServerPlace(book: number, place: Place): void {
  queryClient.setQueriesData<ResultOf<'GET /api/books/{id}'>>({ queryKey: ['member', 'book'] }, (known) => {
    if (known?.book.id !== book || known.book.place?.audio === place.audio) return known;
    return { ...known, book: { ...known.book, place: known.book.place ? { ...known.book.place, audio: place.audio } : place } };
  });
}

type Report = RequestOf<'PUT /api/user-book-history'>['body'];

const reportOf = ({ book, position, paragraph, audio, completed, at }: PlaceToSend): Report => ({
  bookId: book,
  completed,
  at,
  ...(position !== null && { position }),
  ...(position !== null && paragraph !== undefined && { paragraph }),
  ...(audio !== undefined && { audio }),
  ...sentNow(),
});

const remove = ({ member, book, at }: ChangeToSend): void => {
  if (member !== null) removeUnsent({ member, book, at });
};

/** The call that sends a change. It may outlive the page. */
function send(change: ChangeToSend): Promise<unknown> {
  const id = String(change.book);
  if (isPlaceChange(change)) return call('PUT /api/user-book-history', { body: reportOf(change), keepalive: true });
  if (change.kind === 'rating') {
    const { book, subid, rating, feedback } = change;
    return call('PUT /api/books/rating/{id}', { path: { id }, body: { rating, subid, bookId: book, ...(feedback && { feedback }) }, keepalive: true });
  }
  if (change.isInLibrary) return call('POST /api/library', { body: { bookId: change.book }, keepalive: true });
  return call('DELETE /api/library/{id}', { path: { id }, keepalive: true });
}

/** Sends one change, also while the page is being left; returns whether the server has it. */
async function deliver(entry: Entry): Promise<boolean> {
  const { change, events } = entry;
  const key = keyOf(change);
  const current = sessions;
  inFlight.add(key);
  let result: unknown;
  try {
    result = await send(change);
  } catch (error) {
    // A rating or library change that the server refuses is undone on the page; it waits only if it never reached the server.
    const isPress = !isPlaceChange(change) && !entry.isRetry;
    const isWorthRetry = isPress ? isUnreached(error) : isRetryable(error);
    const willRetry = change.member !== null && isWorthRetry;
    if (!isWorthRetry) remove(change);
    else if (willRetry && current === sessions) failed.set(key, { ...entry, isRetry: true });
    events?.failed(error, willRetry);
    return false;
  } finally {
    inFlight.delete(key);
  }
  remove(change);
  if (isPlaceChange(change)) cacheServerPlace(change.book, (result as SaveResult).place);
  events?.saved(result);
  return true;
}

const locks = (): LockManager | undefined => (navigator as { locks?: LockManager }).locks;
const lockOf = (change: ChangeToSend) => `pith-place/${keyOf(change)}`;

/** Sends a new change at once, holding its lock so that no other tab sends it too. */
function sendNew(entry: Entry): Promise<boolean> {
  const sent = deliver(entry);
  locks()
    ?.request(lockOf(entry.change), { ifAvailable: true }, () => sent)
    .catch(() => undefined);
  return sent;
}

/** Resends a stored change, unless another tab is sending it or has sent it. */
async function resend(entry: Entry): Promise<boolean> {
  const attempt = async (): Promise<boolean> => {
    if (isStored(entry.change)) return deliver(entry);
    entry.events?.saved(null);
    return true;
  };
  const manager = locks();
  // Absent in insecure contexts: there two tabs may send the same change, which the server applies once.
  if (!manager) return attempt();
  try {
    return await manager.request(lockOf(entry.change), { ifAvailable: true }, (lock) => {
      if (lock) return attempt();
      failed.set(keyOf(entry.change), entry);
      return true;
    });
  } catch {
    // The page is being left: locks are no longer granted.
    failed.set(keyOf(entry.change), entry);
    return false;
  }
}

let draining: Promise<void> | null = null;

async function drain(): Promise<void> {
  let resent = false;
  try {
    for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
      if (entry.isRetry) {
        const got = await resend(entry);
        resent ||= got;
        if (!got) postponeRetries();
      } else if (await sendNew(entry)) {
        void invalidateProgress(isPlaceChange(entry.change) && entry.change.completed);
        // The server can be reached again.
        if (failed.size > 0 && entry.change.member !== null) queueStored(entry.change.member);
      }
    }
  } finally {
    draining = null;
  }
  if (resent) await invalidateProgress(true);
}

/** Works off the queue; resolves when it is empty. */
function run(): Promise<void> {
  if (waiting.length > 0) draining ??= drain();
  return draining ?? Promise.resolve();
}

/** After a failed retry: the remaining retries wait for the next occasion too. */
function postponeRetries(): void {
  for (const entry of waiting) if (entry.isRetry && entry.events) failed.set(keyOf(entry.change), entry);
  waiting = waiting.filter(({ isRetry }) => !isRetry);
}

/** Queues a member's stored changes that are not queued or in flight, oldest first. */
function queueStored(member: number): void {
  const known = new Set([...waiting.map(({ change }) => keyOf(change)), ...inFlight]);
  for (const change of unsentChanges(member)) {
    const key = keyOf(change);
    if (!known.has(key)) waiting.push(failed.get(key) ?? { change, events: null, isRetry: true });
    failed.delete(key);
  }
  // A failed change of this page that is no longer stored was sent by another tab: `resend` calls its events.
  waiting.push(...failed.values());
  failed.clear();
}

/** Stores a change; it replaces those that it covers. */
function store(change: ChangeToSend): void {
  const { member } = change;
  if (member !== null) storeUnsent({ ...change, member });
  waiting = waiting.filter((entry) => !covers(change, entry.change));
  for (const [key, entry] of failed) if (covers(change, entry.change)) failed.delete(key);
}

/** Applies a change to the copy of the book on this device. */
function showOffline(change: ChangeToSend): void {
  if (change.member !== null) void storeLocalChange({ ...change, member: change.member });
}

/** Saves a member's position. A later position replaces an earlier one with no more information, but never a completion. */
export function savePlace(place: PlaceToSend, events: SaveEvents): void {
  store(place);
  showOffline(place);
  waiting.push({
    change: place,
    events: {
      saved: (result) => events.saved(place, result as SaveResult | null),
      failed: (error, willRetry) => events.failed(place, error, willRetry),
    },
    isRetry: false,
  });
  void run();
}

/**
 * Sends a rating or a library change at once. Resolves with `sent` when the server has it, with `waits` when the server could not
 * be reached and the change is sent later; rejects when the server responds with an error.
 */
function submit(change: Unowned<UnsentRating> | Unowned<UnsentLibrary>): Promise<'sent' | 'waits'> {
  store(change);
  return new Promise((resolve, reject) => {
    const events: Entry['events'] = {
      saved: () => {
        showOffline(change);
        resolve('sent');
      },
      failed: (error, willRetry) => {
        if (willRetry) {
          showOffline(change);
          resolve('waits');
        } else reject(error instanceof Error ? error : new Error('The change was refused.'));
      },
    };
    void sendNew({ change, events, isRetry: false });
  });
}

/** Rates a book. Offline the rating waits and is sent later. */
export const saveRating = (book: { id: number; subid: string }, rating: number, feedback: string): Promise<'sent' | 'waits'> =>
  submit({ kind: 'rating', member: currentMember(), book: book.id, subid: book.subid, rating, feedback, at: nextMoment() });

/** Adds a book to the library or removes it. Offline the change waits and is sent later. */
export const saveLibrary = (book: number, isInLibrary: boolean): Promise<'sent' | 'waits'> =>
  submit({ kind: 'library', member: currentMember(), book, isInLibrary, at: nextMoment() });

/** Sends the stored changes of the member who is signed in, made on this page or an earlier one. */
export async function syncPlaces(): Promise<void> {
  const isWaiting = failed.size > 0 || allUnsent().some((change) => !inFlight.has(keyOf(change)));
  if (session.token() === null || !isWaiting) return;
  const current = sessions;
  let member = [...failed.values()][0]?.change.member ?? null;
  try {
    member ??= (await queryClient.query(accountQuery())).id;
  } catch {
    return; // Retried on the next occasion.
  }
  if (current !== sessions) return;
  queueStored(member);
  await run();
}

/** Called when the page is being left: sends everything in the queue at once. */
function flushPlaces(): void {
  const rest = [...waiting, ...failed.values()];
  waiting = [];
  failed.clear();
  for (const entry of rest) void deliver(entry);
}

const listeners = new Set<() => void>();

/** Calls the listener whenever stored changes are sent: for what else waits to be sent. */
export function onSyncOccasion(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function syncAll(): void {
  void syncPlaces();
  for (const listener of listeners) listener();
}

window.addEventListener('online', syncAll);
window.addEventListener('pagehide', flushPlaces);
session.subscribe(() => {
  if (session.token() !== null) {
    syncAll();
    return;
  }
  // Queued changes belong to the member who logged out. They stay stored for that member.
  sessions += 1;
  waiting = [];
  failed.clear();
});

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'state' | 'subscribe'>;

/**
 * Starts position sync: runs now, at every navigation, when the connection is back and when a member logs in. Returns the
 * function that stops it.
 */
export function startPositionSync(router: Router): () => void {
  let page = router.state.location.pathname;
  syncAll();
  return router.subscribe(({ location }) => {
    if (location.pathname === page) return;
    page = location.pathname;
    syncAll();
  });
}
