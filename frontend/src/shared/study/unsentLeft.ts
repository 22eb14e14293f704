// What a page without a database leaves for the next one: unsent records, in local storage.
import { readStored, writeStored } from '@/lib/browserStore';
import { edited } from '@/shared/study/recordChanges';
import { RECORD_STORES, allOf, allUnsent, filterUnsent, isPersistent, nothingUnsent, perStore, transact } from '@/shared/study/studyStorage';
import type { RecordStore, States, StudyRecord, Transaction, Unsent, UnsentAnswer } from '@/shared/study/studyStorage';

const KEY = 'unsentStudy';
/** Limit of records of each kind. */
const MOST = 200;

/** Without a database: stores what is unsent in local storage, so that it outlives the page. */
export async function storeUnsent(tx: Transaction): Promise<void> {
  const unsent = await allUnsent(tx);
  const latest = Object.fromEntries(Object.entries(unsent).map(([kind, all]: [string, readonly unknown[]]) => [kind, all.slice(-MOST)]));
  writeStored('local', KEY, allOf(unsent).length > 0 ? JSON.stringify(latest) : null);
}

/** Leaves an answer for the next page, at once: a page that is being closed may not finish a transaction. */
export function leaveAnswer(answer: UnsentAnswer): void {
  const left = readLeft() ?? nothingUnsent();
  writeStored('local', KEY, JSON.stringify({ ...left, answers: [...left.answers, answer] }));
}

/** What was left is in the database now. What was left meanwhile stays. */
export function forgetLeft(stored: Unsent): void {
  if (!isPersistent()) return;
  type Identity = { member: number; id: number; rev?: number };
  const isSame = (one: Identity, other: Identity) => one.member === other.member && one.id === other.id && one.rev === other.rev;
  keepLeft((one, kind) => !stored[kind].some((gone) => isSame(gone, one)));
}

/** Removes what is left of a member who logs out. */
export function forgetLeftOf(member: number): void {
  keepLeft((one) => one.member !== member);
}

function keepLeft(isKept: Parameters<typeof filterUnsent>[1]): void {
  const left = readLeft();
  const kept = left && filterUnsent(left, isKept);
  writeStored('local', KEY, kept && allOf(kept).length > 0 ? JSON.stringify(kept) : null);
}

/** Takes over what a page without a database has left in local storage. */
export async function takeUnsent(): Promise<void> {
  const left = readLeft();
  if (left === null) return;
  await transact(async (tx) => {
    for (const store of RECORD_STORES) await takeRecords(tx, store, left[store] as StudyRecord<never>[]);
    for (const answer of left.answers) await tx.put('answers', answer);
  });
  forgetLeft(left);
}

async function takeRecords<S extends RecordStore>(tx: Transaction, store: S, left: readonly StudyRecord<States[S]>[]): Promise<void> {
  for (const record of left) {
    const known = (await tx.get(store, [record.member, record.id])) as StudyRecord<States[S]> | undefined;
    await tx.put(store, (known ? edited(store, record.member, known, record.state) : record) as never);
  }
}

/** The stored records without malformed ones: anything can write to the storage. */
function readLeft(): Unsent | null {
  try {
    const left: unknown = JSON.parse(readStored('local', KEY) ?? 'null');
    if (typeof left !== 'object' || left === null) return null;
    const all = left as Partial<Record<keyof Unsent, unknown>>;
    return {
      ...perStore((store) => listOf<never>(all[store], isRecord)),
      answers: listOf<UnsentAnswer>(all.answers, (one) => hasNumbers(one, ['member', 'id', 'cardId', 'rating', 'at'])),
    };
  } catch {
    return null;
  }
}

const listOf = <T>(list: unknown, isOne: (one: unknown) => boolean): T[] => (Array.isArray(list) ? (list.filter(isOne) as T[]) : []);

const hasNumbers = (one: unknown, names: readonly string[]): boolean =>
  typeof one === 'object' && one !== null && names.every((name) => typeof (one as Record<string, unknown>)[name] === 'number');

const isRecord = (one: unknown): boolean =>
  hasNumbers(one, ['member', 'id', 'rev', 'sentRev']) && hasNumbers((one as { state?: unknown }).state, ['id', 'createdAt']);
