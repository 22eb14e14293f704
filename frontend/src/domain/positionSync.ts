// Position sync: how reading positions get from this browser to the server. One queue for what is read, what is heard and
// what an earlier visit could not send; one call at a time. A place stays stored (domain/places.ts) until the server
// acknowledges or refuses it, and each carries its own time, so that a late one does no harm.
import type { createBrowserRouter } from 'react-router';
import { call } from '@/api/client';
import { isRetryable } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { RequestOf, Place, ResultOf } from '@/api/types';
import { accountQuery } from '@/domain/account';
import type { UnsentPlace } from '@/domain/places';
import { allUnsent, covers, removeUnsent, sentNow, storeUnsent, unsentPlaces } from '@/domain/places';

/** A place to send; `member` is null when nothing says who is signed in. Such a place is not stored. */
export type PlaceToSend = Omit<UnsentPlace, 'member'> & { member: number | null };

export type SaveResult = ResultOf<'PUT /api/user-book-history'>;

/** What happens to a place that this page saves. */
export interface SaveEvents {
  /** The server has it. `result` is null when another tab has sent it. */
  saved: (place: PlaceToSend, result: SaveResult | null) => void;
  /** An attempt failed. `willRetry`: it is sent again on the next occasion. */
  failed: (place: PlaceToSend, error: unknown, willRetry: boolean) => void;
}

interface Entry {
  place: PlaceToSend;
  /** Null: an earlier visit saved it. */
  events: SaveEvents | null;
  /** It was attempted before, so another tab may send it too. */
  isRetry: boolean;
}

let waiting: Entry[] = [];
const inFlight = new Set<string>();
/** What failed on this page and can be retried, by key. */
const failed = new Map<string, Entry>();
/** Counts the sessions of this page: what fails after a logout is not retried under the next member's name. */
let sessions = 0;

const keyOf = ({ member, book, at }: PlaceToSend) => `${member}/${book}/${at}`;
const isStored = (place: PlaceToSend) => allUnsent().some((one) => keyOf(one) === keyOf(place));

/**
 * Invalidates what places change: home, progress, library, history. Not the books: fetching one opens it (decisions.md 23).
 * `refetch`: the screen that is open is fetched at once, otherwise when it is opened next.
 */
const invalidateProgress = (refetch: boolean) =>
  queryClient.invalidateQueries({ queryKey: ['member'], predicate: ({ queryKey }) => queryKey[1] !== 'book', refetchType: refetch ? 'active' : 'none' });

/** Puts the server's place of a recording, of all devices, into the cached book: its page goes on from there. */
export function cacheServerPlace(book: number, place: Place): void {
  queryClient.setQueriesData<ResultOf<'GET /api/books/{id}'>>({ queryKey: ['member', 'book'] }, (known) => {
    if (known?.book.id !== book || known.book.place?.audio === place.audio) return known;
    return { ...known, book: { ...known.book, place: known.book.place ? { ...known.book.place, audio: place.audio } : place } };
  });
}

type Report = RequestOf<'PUT /api/user-book-history'>['body'];

const reportOf = ({ book, position, audio, completed, at }: PlaceToSend): Report => ({
  bookId: book,
  completed,
  at,
  ...(position !== null && { position }),
  ...(audio !== undefined && { audio }),
  ...sentNow(),
});

const remove = ({ member, book, at }: PlaceToSend): void => {
  if (member !== null) removeUnsent({ member, book, at });
};

/** Sends one place, also when the page is left meanwhile; answers whether the server has it. */
async function deliver(entry: Entry): Promise<boolean> {
  const { place, events } = entry;
  const key = keyOf(place);
  const current = sessions;
  inFlight.add(key);
  let result: SaveResult;
  try {
    result = await call('PUT /api/user-book-history', { body: reportOf(place), keepalive: true });
  } catch (error) {
    const willRetry = place.member !== null && isRetryable(error);
    if (!isRetryable(error)) remove(place);
    else if (willRetry && current === sessions) failed.set(key, { ...entry, isRetry: true });
    events?.failed(place, error, willRetry);
    return false;
  } finally {
    inFlight.delete(key);
  }
  remove(place);
  cacheServerPlace(place.book, result.place);
  events?.saved(place, result);
  return true;
}

const locks = (): LockManager | undefined => (navigator as { locks?: LockManager }).locks;
const lockOf = (place: PlaceToSend) => `pith-place/${keyOf(place)}`;

/** Sends a new place at once, and holds its lock meanwhile, so that no other tab resends it. */
function sendNew(entry: Entry): Promise<boolean> {
  const sent = deliver(entry);
  locks()
    ?.request(lockOf(entry.place), { ifAvailable: true }, () => sent)
    .catch(() => undefined);
  return sent;
}

/** Sends a stored place again, unless another tab is sending it or has sent it. */
async function resend(entry: Entry): Promise<boolean> {
  const attempt = async (): Promise<boolean> => {
    if (isStored(entry.place)) return deliver(entry);
    entry.events?.saved(entry.place, null);
    return true;
  };
  const manager = locks();
  // Absent in insecure contexts: there two tabs may send the same place, which the server takes once.
  if (!manager) return attempt();
  try {
    return await manager.request(lockOf(entry.place), { ifAvailable: true }, (lock) => {
      if (lock) return attempt();
      failed.set(keyOf(entry.place), entry);
      return true;
    });
  } catch {
    // The page is being left: no lock is given any more.
    failed.set(keyOf(entry.place), entry);
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
        void invalidateProgress(entry.place.completed);
        // The server is reached again.
        if (failed.size > 0 && entry.place.member !== null) queueStored(entry.place.member);
      }
    }
  } finally {
    draining = null;
  }
  if (resent) await invalidateProgress(true);
}

/** Empties the queue; resolves when that is done. */
function run(): Promise<void> {
  if (waiting.length > 0) draining ??= drain();
  return draining ?? Promise.resolve();
}

/** A retry failed: the others wait for the next occasion too. */
function postponeRetries(): void {
  for (const entry of waiting) if (entry.isRetry && entry.events) failed.set(keyOf(entry.place), entry);
  waiting = waiting.filter(({ isRetry }) => !isRetry);
}

/** Queues what is stored for a member and is not queued or in flight, oldest first. */
function queueStored(member: number): void {
  const known = new Set([...waiting.map(({ place }) => keyOf(place)), ...inFlight]);
  for (const place of unsentPlaces(member)) {
    const key = keyOf(place);
    if (!known.has(key)) waiting.push(failed.get(key) ?? { place, events: null, isRetry: true });
    failed.delete(key);
  }
  // What failed on this page and is stored no longer was sent by another tab: `resend` tells its events.
  waiting.push(...failed.values());
  failed.clear();
}

/** Saves where a member is now. A later place replaces an earlier one that says no more, but never a completion. */
export function savePlace(place: PlaceToSend, events: SaveEvents): void {
  const { member } = place;
  if (member !== null) storeUnsent({ ...place, member });
  waiting = [...waiting.filter((entry) => !covers(place, entry.place)), { place, events, isRetry: false }];
  for (const [key, entry] of failed) if (covers(place, entry.place)) failed.delete(key);
  void run();
}

/** Sends what is stored for the member who is signed in, on this page or an earlier one. */
export async function syncPlaces(): Promise<void> {
  const isWaiting = failed.size > 0 || allUnsent().some((place) => !inFlight.has(keyOf(place)));
  if (session.token() === null || !isWaiting) return;
  const current = sessions;
  let member = [...failed.values()][0]?.place.member ?? null;
  try {
    member ??= (await queryClient.query(accountQuery())).id;
  } catch {
    return; // The next occasion may find the server.
  }
  if (current !== sessions) return;
  queueStored(member);
  await run();
}

/** The page is being left: everything that waits is sent at once. */
function flushPlaces(): void {
  const rest = [...waiting, ...failed.values()];
  waiting = [];
  failed.clear();
  for (const entry of rest) void deliver(entry);
}

window.addEventListener('online', () => void syncPlaces());
window.addEventListener('pagehide', flushPlaces);
session.subscribe(() => {
  if (session.token() !== null) {
    void syncPlaces();
    return;
  }
  // What waits belongs to the member who has logged out. It stays stored for them.
  sessions += 1;
  waiting = [];
  failed.clear();
});

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'state' | 'subscribe'>;

/**
 * Starts position sync: now and with every page that is opened. It also runs when the connection is back and when a member
 * logs in. Answers what stops it.
 */
export function startPositionSync(router: Router): () => void {
  let page = router.state.location.pathname;
  void syncPlaces();
  return router.subscribe(({ location }) => {
    if (location.pathname === page) return;
    page = location.pathname;
    void syncPlaces();
  });
}
