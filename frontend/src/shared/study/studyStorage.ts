// Where the device keeps a member's records: the IndexedDB database `pith-study`. Where there is none, or it can't be written,
// they are in memory, and last as long as the page.
import { openDB } from 'idb';
import type { DBSchema, IDBPDatabase, IDBPTransaction } from 'idb';
import type { Commitment } from '@/shared/study/commitments/commitment';
import type { ReadingList } from '@/shared/study/lists/list';
import type { CardAnswer, Highlight, ReviewCard } from '@/shared/study/records';

/** The stores of records. */
export const RECORD_STORES = ['highlights', 'cards', 'commitments', 'lists'] as const;
export type RecordStore = (typeof RECORD_STORES)[number];

/** The state of a record of each store. */
export interface States {
  highlights: Highlight;
  cards: ReviewCard;
  commitments: Commitment;
  lists: ReadingList;
}

/** The same for each store of records. */
export const perStore = <T>(make: (store: RecordStore) => T): Record<RecordStore, T> =>
  Object.fromEntries(RECORD_STORES.map((store) => [store, make(store)])) as Record<RecordStore, T>;

/** A record, with what is known of its way to the server. */
export interface StudyRecord<State> {
  member: number;
  id: number;
  state: State;
  /** How often it was changed on this device. */
  rev: number;
  /** The `rev` that the server has. */
  sentRev: number;
  /** 1 while the server does not have the latest change. The index of what is unsent has only records with this field. */
  unsent?: 1;
  /** Why the server refuses it. It is not sent again until it changes. */
  refused: string | null;
  /** The moment of the note that the server has; null: none that is known. */
  noteSentAt: number | null;
  /** A note of this device that another device has overtaken before it was sent (study.highlight-merge). */
  overtaken: string | null;
}

/** A rating that the server does not have yet. */
export interface UnsentAnswer extends CardAnswer {
  member: number;
}

/** What waits to be sent. */
export type Unsent = { [S in RecordStore]: StudyRecord<States[S]>[] } & { answers: UnsentAnswer[] };

export interface StudyMeta {
  member: number;
  /** The version up to which this device has the member's records. */
  cursor: number;
  /** When the change feed was last read to its end, by the server's clock in ms; null: never. */
  pulledAt: number | null;
  /** Whether the member had a plan then: the answers of ideas depend on it. Absent: not known. */
  isPaid?: boolean;
}

type Values = { [S in RecordStore]: StudyRecord<States[S]> } & { answers: UnsentAnswer; meta: StudyMeta };

export type Store = keyof Values;
type Key = number | [member: number, id: number];

type RecordStores = { [S in RecordStore]: { key: [number, number]; value: Values[S]; indexes: { unsent: number } } };
interface StudyDb extends DBSchema, RecordStores {
  answers: { key: [number, number]; value: Values['answers'] };
  meta: { key: number; value: Values['meta'] };
}

const STORES = [...RECORD_STORES, 'answers', 'meta'] as const;

/** Reads and writes in one transaction. */
export interface Transaction {
  get: <S extends Store>(store: S, key: Key) => Promise<Values[S] | undefined>;
  /** All of one member. */
  all: <S extends Store>(store: S, member: number) => Promise<Values[S][]>;
  /** The unsent records of all members. */
  unsent: <S extends RecordStore>(store: S) => Promise<Values[S][]>;
  /** Everything of all members. */
  everything: <S extends Store>(store: S) => Promise<Values[S][]>;
  put: <S extends Store>(store: S, value: Values[S]) => Promise<unknown>;
  delete: (store: Store, key: Key) => Promise<unknown>;
}

let opening: Promise<IDBPDatabase<StudyDb>> | null = null;

function database(): Promise<IDBPDatabase<StudyDb>> {
  opening ??= openDB<StudyDb>('pith-study', 3, {
    upgrade(db, version, _, tx) {
      // Commitments came with version 2, lists with version 3.
      for (const store of RECORD_STORES) {
        if (!db.objectStoreNames.contains(store)) db.createObjectStore(store, { keyPath: ['member', 'id'] }).createIndex('unsent', 'unsent');
      }
      if (version < 1) {
        db.createObjectStore('answers', { keyPath: ['member', 'id'] });
        db.createObjectStore('meta', { keyPath: 'member' });
      }
      // What the change feed had of the new kinds was left out: it is read from its beginning.
      else void tx.objectStore('meta').clear();
    },
    blocking(_, __, event) {
      // A later release waits to upgrade in another tab.
      (event.target as IDBDatabase).close();
      opening = null;
    },
    terminated() {
      opening = null;
    },
  });
  return opening;
}

/** The keys of a member: lists sort after numbers and texts. */
const keysOf = (store: Store, member: number): IDBKeyRange =>
  store === 'meta' ? IDBKeyRange.only(member) : IDBKeyRange.bound([member], [member, []], true, true);

function stored(tx: IDBPTransaction<StudyDb, typeof STORES, 'readwrite'>): Transaction {
  // The types of one store at a time are those of `Values`; the library can't express that for any of them.
  type Any = {
    get: (key: Key) => Promise<never>;
    getAll: (query?: IDBKeyRange) => Promise<never>;
    put: (value: unknown) => Promise<unknown>;
    delete: (key: Key) => Promise<unknown>;
    index: (name: 'unsent') => { getAll: () => Promise<never> };
  };
  const of = (store: Store) => tx.objectStore(store) as unknown as Any;
  return {
    get: (store, key) => of(store).get(key),
    all: (store, member) => of(store).getAll(keysOf(store, member)),
    unsent: (store) => of(store).index('unsent').getAll(),
    everything: (store) => of(store).getAll(),
    put: (store, value) => of(store).put(value),
    delete: (store, key) => of(store).delete(key),
  };
}

/** What is kept while the page is open, where there is no database. */
type Memory = { [S in Store]: Map<string, Values[S]> };
let memory: Memory | null = null;

const keyOf = (value: Values[Store]): Key => ('id' in value ? [value.member, value.id] : value.member);
const nameOf = (key: Key): string => JSON.stringify(key);

function remembered(stores: Memory): Transaction {
  const values = <S extends Store>(store: S): Values[S][] => [...stores[store].values()];
  return {
    get: (store, key) => Promise.resolve(stores[store].get(nameOf(key))),
    all: (store, member) => Promise.resolve(values(store).filter((one) => one.member === member)),
    unsent: (store) => Promise.resolve(values(store).filter((one) => one.unsent === 1)),
    everything: (store) => Promise.resolve(values(store)),
    put: (store, value) => Promise.resolve(stores[store].set(nameOf(keyOf(value)), value)),
    delete: (store, key) => Promise.resolve(stores[store].delete(nameOf(key))),
  };
}

/** Whether records outlive the page. */
export const isPersistent = (): boolean => memory === null;

/** Copies what the database has into memory, if it can still be read. */
async function leaveDatabase(): Promise<Memory> {
  const left: Memory = { ...perStore(() => new Map<string, never>()), answers: new Map(), meta: new Map() };
  try {
    const db = await database();
    const tx = remembered(left);
    for (const store of STORES) for (const value of await db.getAll(store)) await tx.put(store, value);
  } catch {
    // What is in it waits for the next page.
  }
  return left;
}

let last: Promise<unknown> = Promise.resolve();

/** Transactions in memory run one after the other, as those of the database do. */
function transactInMemory<T>(stores: Memory, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const done = last.then(() => work(remembered(stores)));
  last = done.catch(() => undefined);
  return done;
}

async function transactInDatabase<T>(db: IDBPDatabase<StudyDb>, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const tx = db.transaction(STORES, 'readwrite');
  // Where the work fails, its own error is the one that counts.
  tx.done.catch(() => undefined);
  try {
    const result = await work(stored(tx));
    await tx.done;
    return result;
  } catch (error) {
    try {
      tx.abort();
    } catch {
      // It has ended.
    }
    throw error;
  }
}

/**
 * Runs the work in one transaction, which is all or nothing in the database. Where the database fails, for example because the
 * disk is full, the work runs again in memory, on what was in the database.
 */
export async function transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  // A database that the browser has closed is opened once more.
  for (let attempt = 0; attempt < 2 && !memory; attempt += 1) {
    let db: IDBPDatabase<StudyDb>;
    try {
      db = await database();
    } catch {
      opening = null;
      continue;
    }
    try {
      return await transactInDatabase(db, work);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      opening = null;
    }
  }
  memory ??= await leaveDatabase();
  return transactInMemory(memory, work);
}

export const nothingUnsent = (): Unsent => ({ ...perStore((): never[] => []), answers: [] });

/** Everything that is unsent, of all members. */
export async function allUnsent(tx: Transaction): Promise<Unsent> {
  const all = nothingUnsent();
  for (const store of RECORD_STORES) all[store] = (await tx.unsent(store)) as never[];
  return { ...all, answers: await tx.everything('answers') };
}

type UnsentOne = Unsent[keyof Unsent][number];

/** What is wanted of what waits to be sent. */
export const filterUnsent = (all: Unsent, isWanted: (one: UnsentOne, kind: keyof Unsent) => boolean): Unsent => ({
  ...perStore((store) => all[store].filter((one) => isWanted(one, store)) as never[]),
  answers: all.answers.filter((one) => isWanted(one, 'answers')),
});

/** Everything of all kinds in one list. */
export const allOf = (all: Unsent): UnsentOne[] => [...RECORD_STORES.flatMap((store): UnsentOne[] => all[store]), ...all.answers];
