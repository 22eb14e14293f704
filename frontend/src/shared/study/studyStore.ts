// What a member keeps, on this device: highlights, review cards, commitments, lists, and answers that the server does not have yet. Every
// screen reads them here, online and offline (study.offline-highlights). A change is shown at once and stored; studySync sends it. Several
// tabs share the database and tell each other what changed.
import { useSyncExternalStore } from 'react';
import { serverNow } from '@/api/clock';
import { session } from '@/api/session';
import { readStored, writeStored } from '@/lib/browserStore';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { nextMoment } from '@/shared/positions/places';
import { rememberCommitments } from '@/shared/study/commitments/commitmentFlags';
import { HIGHLIGHTED, STORED_FLAG, UNSENT_FLAG, clearPreferences } from '@/shared/study/studyFlags';
import { acknowledged, edited, isThere, pulled, removed } from '@/shared/study/recordChanges';
import type { Update } from '@/shared/study/recordChanges';
import { isShown } from '@/shared/study/records';
import type { CardAnswer, Highlight } from '@/shared/study/records';
import { RECORD_STORES, allOf, allUnsent, filterUnsent, isPersistent, nothingUnsent, perStore, transact } from '@/shared/study/studyStorage';
import type { RecordStore, States, StudyMeta, StudyRecord, Transaction, Unsent, UnsentAnswer } from '@/shared/study/studyStorage';
import { forgetLeft, forgetLeftOf, leaveAnswer, storeUnsent, takeUnsent } from '@/shared/study/unsentLeft';

/** How long the words of a deleted highlight are kept, in milliseconds (study.deleted-highlights). */
export const DELETED_KEPT = 30 * 86_400_000;
/** Limit of remembered books with highlights. */
const MOST_BOOKS = 200;

const CHANNEL = 'pith-study';

type Records<S extends RecordStore> = ReadonlyMap<number, StudyRecord<States[S]>>;
/** The records of each store, by id. */
type AllRecords = { [S in RecordStore]: Records<S> };

export interface StudySnapshot extends AllRecords {
  /** Null until `load`. */
  member: number | null;
  /** The member's records have been read. */
  isLoaded: boolean;
  answers: ReadonlyMap<number, UnsentAnswer>;
  meta: StudyMeta | null;
}

export const NO_RECORDS: StudySnapshot = {
  member: null,
  isLoaded: false,
  ...perStore(() => new Map<number, never>()),
  answers: new Map(),
  meta: null,
};

let snapshot = NO_RECORDS;
const listeners = new Set<() => void>();

function publish(now: StudySnapshot): void {
  snapshot = now;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** How many changes of a record wait to be stored, by id. The snapshot shows them already. */
const pending = perStore(() => new Map<number, number>());

function holdPending(store: RecordStore, id: number, by: 1 | -1): void {
  const count = (pending[store].get(id) ?? 0) + by;
  if (count > 0) pending[store].set(id, count);
  else pending[store].delete(id);
}

/** Records that have changed, by id; null: it was dropped. */
type Changes<S extends RecordStore> = ReadonlyMap<number, StudyRecord<States[S]> | null>;

function withChanges<S extends RecordStore>(records: Records<S>, changes: Changes<S>): Records<S> {
  const next = new Map(records);
  for (const [id, record] of changes) {
    if (record) next.set(id, record);
    else next.delete(id);
  }
  return next;
}

/** The records as stored, except those with changes that wait to be stored. */
function withPending<S extends RecordStore>(store: S, now: Records<S>, records: Records<S>): Records<S> {
  return withChanges(records, new Map([...pending[store].keys()].map((id) => [id, now.get(id) ?? null])));
}

/** The type of a store's records is that of its states; the compiler can't see it for any store. */
const recordsPerStore = (make: (store: RecordStore) => Records<RecordStore>) => perStore(make) as AllRecords;

const byId = <T extends { id: number }>(all: readonly T[]): ReadonlyMap<number, T> => new Map(all.map((one) => [one.id, one]));

/** Shows records of a member as they are stored now. */
function showStored<S extends RecordStore>(store: S, member: number, changes: Changes<S>): void {
  if (snapshot.member !== member) return;
  const now = snapshot[store] as Records<S>;
  publish({ ...snapshot, [store]: withPending(store, now, withChanges(now, changes)) });
}

/** Remembers which books have highlights on this device, and whether there are commitments. */
function rememberRecords(): void {
  if (snapshot.member !== null && !snapshot.isLoaded) return;
  rememberCommitments([...snapshot.commitments.values()].some(({ state }) => isThere('commitments', state)));
  const books = new Set<number>();
  for (const { state } of snapshot.highlights.values()) if (state.bookId !== null && isShown(state)) books.add(state.bookId);
  const value = books.size > 0 ? JSON.stringify([...books].slice(-MOST_BOOKS)) : null;
  if (readStored('local', HIGHLIGHTED) === value) return;
  writeStored('local', HIGHLIGHTED, value);
  window.dispatchEvent(new Event(HIGHLIGHTED));
}
subscribe(rememberRecords);

let channel: BroadcastChannel | null | undefined;

function openChannel(): BroadcastChannel | null {
  if (channel !== undefined) return channel;
  channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANNEL) : null;
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (snapshot.member !== null && data === snapshot.member) void read(snapshot.member);
  });
  return channel;
}

/** Tells the other tabs that a member's records have changed. */
function tellTabs(member: number): void {
  if (isPersistent()) openChannel()?.postMessage(member);
}

/** Runs the work in a transaction, after what an earlier page could not store in the database. */
async function run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  taking ??= takeUnsent();
  await taking;
  const result = await transact(work);
  if (!isPersistent()) await transact(storeUnsent);
  return result;
}

let taking: Promise<void> | null = null;

/** Reads a member's records into the snapshot. `isConfirmed`: the server confirms the session (shared/offline/copiesOwner.ts). */
async function read(member: number, isConfirmed = copiesOwner.current()?.member === member): Promise<void> {
  // What is sent is shown in a confirmed session, what is unsent in any.
  const isSigned = session.token() !== null;
  const found = await run(async (tx) => ({
    records: new Map(await Promise.all(RECORD_STORES.map(async (store) => [store, await tx.all(store, member)] as const))),
    answers: await tx.all('answers', member),
    meta: (await tx.get('meta', member)) ?? null,
  }));
  if (snapshot.member !== member) return;
  const isVisible = ({ unsent }: { unsent?: 1 }) => isSigned && (isConfirmed || unsent === 1);
  publish({
    member,
    isLoaded: true,
    ...recordsPerStore((store) => withPending(store, snapshot[store], byId((found.records.get(store) ?? []).filter(isVisible)))),
    answers: byId(isSigned ? found.answers : []),
    meta: isConfirmed ? found.meta : null,
  });
}

/** Changes records in a transaction; returns what has changed. */
async function update<S extends RecordStore>(tx: Transaction, store: S, member: number, updates: ReadonlyMap<number, Update<S>>): Promise<Changes<S>> {
  const changes = new Map<number, StudyRecord<States[S]> | null>();
  for (const [id, one] of updates) {
    const record = one((await tx.get(store, [member, id])) as StudyRecord<States[S]> | undefined);
    if (record === null) continue;
    if (record === 'dropped') await tx.delete(store, [member, id]);
    else await tx.put(store, record as never);
    changes.set(id, record === 'dropped' ? null : record);
  }
  return changes;
}

/** Before something is stored: a logout and the next page know of it. */
const markStored = (): void => writeStored('local', STORED_FLAG, '1');

function markUnsent(): void {
  markStored();
  writeStored('local', UNSENT_FLAG, '1');
}

/** Changes a record of the loaded member: shows it at once, then stores it. */
async function save<S extends RecordStore>(store: S, id: number, make: (member: number) => Update<S>): Promise<void> {
  const member = loaded();
  const one = make(member);
  const now = snapshot[store] as Records<S>;
  const shown = one(now.get(id));
  if (shown) publish({ ...snapshot, [store]: withChanges(now, new Map([[id, shown === 'dropped' ? null : shown]])) });
  markUnsent();
  holdPending(store, id, 1);
  let changes: Changes<S>;
  try {
    changes = await run((tx) => update(tx, store, member, new Map([[id, one]])));
  } finally {
    holdPending(store, id, -1);
  }
  showStored(store, member, changes);
  tellTabs(member);
}

/** Changes a record when studySync has heard of the server. */
async function settle<S extends RecordStore>(store: S, member: number, id: number, one: Update<S>): Promise<void> {
  showStored(store, member, await run((tx) => update(tx, store, member, new Map([[id, one]]))));
  tellTabs(member);
}

/** Removes deleted records whose words are no longer kept. */
async function removeOld(tx: Transaction, member: number): Promise<void> {
  const until = serverNow() - DELETED_KEPT;
  for (const store of RECORD_STORES) {
    for (const { id, unsent, state } of await tx.all(store, member)) {
      const isOld = !unsent && state.deletedAt !== null && state.deletedAt < until && !isThere(store, state);
      if (isOld) await tx.delete(store, [member, id]);
    }
  }
}

const isSendable = (one: StudyRecord<unknown> | UnsentAnswer): boolean => !('refused' in one) || one.refused === null;

/** `left`: all that is unsent. `isKept`: more than that was left. */
function setFlags(left: Unsent, isKept = false): void {
  setUnsentFlag(left);
  writeStored('local', STORED_FLAG, isKept || allOf(left).length > 0 ? '1' : null);
}

function setUnsentFlag(left: Unsent): void {
  const isWaiting = allOf(left).some(isSendable);
  writeStored('local', UNSENT_FLAG, isWaiting ? '1' : null);
}

/** What the server has sent; a kind that is absent has none. */
interface ReceivedPart extends Partial<{ [S in RecordStore]: readonly States[S][] }> {
  /** The cursor from which it was read; absent: it is no part of the change feed. */
  from?: number;
  /** The cursor after it. */
  cursor: number;
  /** There is nothing more. */
  isEnd: boolean;
  /** Whether the member has a plan; absent: not known. */
  isPaid?: boolean;
}

/** Merges states of the server; returns what has changed. */
const receiveStates = <S extends RecordStore>(tx: Transaction, store: S, member: number, states: readonly States[S][]): Promise<Changes<S>> =>
  update(tx, store, member, new Map(states.map((state) => [state.id, pulled(store, member, state)])));

/** Adds a record, or changes it: the state is merged with the stored one. */
const putIn =
  <S extends RecordStore>(store: S) =>
  (state: States[S]): Promise<void> =>
    save(store, state.id, (member) => (known) => edited(store, member, known, state));

/** Deletes a record, until it is changed again. */
const removeFrom =
  (store: RecordStore) =>
  (id: number): Promise<void> => {
    const at = nextMoment();
    return save(store, id, (member) => removed(store, member, at));
  };

let loading: Promise<void> | null = null;

export const studyStore = {
  snapshot: (): StudySnapshot => snapshot,

  /** Calls the listener after each change; returns the function that unsubscribes. */
  subscribe,

  /** Reads a member's records, once a page. Changes are those of this member from now on. */
  load(member: number): Promise<void> {
    if (snapshot.member === member && loading) return loading;
    publish({ ...NO_RECORDS, member });
    markStored();
    openChannel();
    loading = run((tx) => removeOld(tx, member)).then(() => read(member));
    return loading;
  },

  putHighlight: putIn('highlights'),
  putCard: putIn('cards'),
  putCommitment: putIn('commitments'),
  putList: putIn('lists'),

  removeHighlight: removeFrom('highlights'),
  removeCard: removeFrom('cards'),
  removeCommitment: removeFrom('commitments'),
  removeList: removeFrom('lists'),

  /** The member has seen their overtaken note, and added it or left it. */
  settleNote: (id: number): Promise<void> => settle('highlights', loaded(), id, (known) => (known ? { ...known, overtaken: null } : null)),

  async addAnswer(answer: CardAnswer): Promise<void> {
    const member = loaded();
    const show = () => publish({ ...snapshot, answers: new Map(snapshot.answers).set(answer.id, { ...answer, member }) });
    show();
    markUnsent();
    leaveAnswer({ ...answer, member });
    await run((tx) => tx.put('answers', { ...answer, member }));
    forgetLeft({ ...nothingUnsent(), answers: [{ ...answer, member }] });
    if (snapshot.member === member) show();
    tellTabs(member);
  },

  /** What a member's devices have to send, without what the server has refused. */
  async unsent(member: number): Promise<Unsent> {
    const all = await run(allUnsent);
    setUnsentFlag(all);
    return filterUnsent(all, (one) => one.member === member && isSendable(one));
  },

  /** How many of a member's changes are on this device only, also those that the server has refused. */
  async unsentCount(member: number): Promise<number> {
    return allOf(await run(allUnsent)).filter((one) => one.member === member).length;
  },

  /** The server has the change `rev`, and answers with the merged state. */
  sent: <S extends RecordStore>(store: S, member: number, rev: number, state: States[S]): Promise<void> =>
    settle(store, member, state.id, acknowledged(store, member, rev, state)),

  /** The server has refused the change `rev` for good. */
  refused: (store: RecordStore, member: number, id: number, rev: number, reason: string): Promise<void> =>
    settle(store, member, id, (known) => (known?.rev === rev ? { ...known, refused: reason } : null)),

  async answersSent(member: number, ids: readonly number[]): Promise<void> {
    await run(async (tx) => {
      for (const id of ids) await tx.delete('answers', [member, id]);
    });
    if (snapshot.member === member) publish({ ...snapshot, answers: new Map([...snapshot.answers].filter(([id]) => !ids.includes(id))) });
    tellTabs(member);
  },

  /**
   * The version up to which this device has a member's records; 0 at first, and when a plan has begun or ended since: what may be
   * read of them is another then, without a new version.
   */
  async cursor(member: number, isPaid?: boolean): Promise<number> {
    const meta = await run((tx) => tx.get('meta', member));
    const isOther = isPaid !== undefined && meta?.isPaid !== undefined && meta.isPaid !== isPaid;
    return isOther ? 0 : (meta?.cursor ?? 0);
  },

  /**
   * Merges a part of the change feed; returns whether it was stored. It is not when this device no longer has what comes before
   * the part: the records were removed meanwhile.
   */
  async receive(member: number, part: ReceivedPart): Promise<boolean> {
    markStored();
    const received = await run(async (tx) => {
      const known = await tx.get('meta', member);
      if ((known?.cursor ?? 0) < (part.from ?? 0)) return null;
      const isPaid = part.isEnd ? (part.isPaid ?? known?.isPaid) : known?.isPaid;
      const meta = {
        member,
        cursor: Math.max(known?.cursor ?? 0, part.cursor),
        pulledAt: part.isEnd ? serverNow() : (known?.pulledAt ?? null),
        ...(isPaid !== undefined && { isPaid }),
      };
      await tx.put('meta', meta);
      const changes = new Map<RecordStore, Changes<RecordStore>>();
      for (const store of RECORD_STORES) changes.set(store, await receiveStates(tx, store, member, part[store] ?? []));
      return { meta, changes };
    });
    if (!received) return false;
    for (const [store, changes] of received.changes) showStored(store, member, changes);
    const wasHidden = snapshot.meta === null;
    if (snapshot.member === member) publish({ ...snapshot, meta: received.meta });
    // What was read before the server had confirmed the session was not shown.
    if (wasHidden && snapshot.member === member && copiesOwner.current()?.member === member) await read(member);
    tellTabs(member);
    return true;
  },

  /**
   * Removes what the server has: of all members when a session ends, of all others when a member claims the device. What is unsent
   * waits for its member.
   */
  async removeSent(claimant?: number): Promise<void> {
    const isClaimed = () => claimant !== undefined && snapshot.member === claimant;
    if (!isClaimed()) {
      publish({ ...snapshot, ...recordsPerStore((store) => unsentOf(snapshot[store])), meta: null });
    }
    if (claimant === undefined) clearPreferences();
    const { isOwn, isOthers, left } = await run(async (tx) => {
      let isOwn = false;
      let isOthers = false;
      for (const store of [...RECORD_STORES, 'meta'] as const) {
        for (const one of await tx.everything(store)) {
          if (one.member === claimant) isOwn = true;
          else if (!('unsent' in one)) {
            isOthers = true;
            await tx.delete(store, 'id' in one ? [one.member, one.id] : one.member);
          }
        }
      }
      return { isOwn, isOthers, left: await allUnsent(tx) };
    });
    // Otherwise they are the claimant's.
    if (isOthers) clearPreferences();
    setFlags(left, isOwn || isClaimed());
    // The server has just responded to the claimant: what was hidden is shown.
    if (claimant !== undefined && isClaimed()) await read(claimant, true);
  },

  /** Removes everything of a member who logs out. */
  async removeMember(member: number): Promise<void> {
    // Also when nothing was loaded: what the storage says of the books goes too.
    if (snapshot.member === member || snapshot.member === null) {
      loading = null;
      publish(NO_RECORDS);
    }
    forgetLeftOf(member);
    const left = await run(async (tx) => {
      for (const store of [...RECORD_STORES, 'answers'] as const) {
        for (const { id } of await tx.all(store, member)) await tx.delete(store, [member, id]);
      }
      await tx.delete('meta', member);
      return allUnsent(tx);
    });
    clearPreferences();
    setFlags(left);
    tellTabs(member);
  },
};

function loaded(): number {
  const { member } = snapshot;
  if (member === null) throw new Error('No member is loaded.');
  return member;
}

const unsentOf = (records: Records<RecordStore>): Records<RecordStore> => new Map([...records].filter(([, { unsent }]) => unsent === 1));

/** The records on this device, or a part of them; renders again when they change. */
export function useStudy<T>(select: (now: StudySnapshot) => T): T {
  return select(useSyncExternalStore(studyStore.subscribe, studyStore.snapshot));
}

/** The highlights that are there, the latest first. */
export const shownHighlights = ({ highlights }: StudySnapshot): StudyRecord<Highlight>[] =>
  [...highlights.values()].filter(({ state }) => isShown(state)).sort((a, b) => b.state.createdAt - a.state.createdAt || b.id - a.id);

/** Those of a book or an own summary. */
export const highlightsOf = (now: StudySnapshot, source: { bookId: number } | { summaryId: number }): StudyRecord<Highlight>[] =>
  shownHighlights(now).filter(({ state }) => ('bookId' in source ? state.bookId === source.bookId : state.summaryId === source.summaryId));
