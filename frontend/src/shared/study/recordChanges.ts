// How a record on this device changes: by the member, by the server's answer to what was sent, and by the change feed. Pure functions.
import { commitmentEditedAt } from '@/shared/study/commitments/commitment';
import { listEditedAt } from '@/shared/study/lists/list';
import { mergeCards, mergeCommitments, mergeHighlights, mergeLists } from '@/shared/study/merge';
import { cardEditedAt, editedAt } from '@/shared/study/records';
import type { RecordStore, States, StudyRecord } from '@/shared/study/studyStorage';

type State = States[RecordStore];

type Known<S extends RecordStore> = StudyRecord<States[S]> | undefined;
/** The record that takes the place of a known one; null leaves it as it is, and 'dropped' removes it from this device. */
export type Update<S extends RecordStore> = (known: Known<S>) => StudyRecord<States[S]> | 'dropped' | null;

const MERGE: { [S in RecordStore]: (one: States[S], other: States[S]) => States[S] } = {
  highlights: mergeHighlights,
  cards: mergeCards,
  commitments: mergeCommitments,
  lists: mergeLists,
};

/** The latest moment of any part of a record. */
const EDITED_AT: { [S in RecordStore]: (state: States[S]) => number } = {
  highlights: editedAt,
  cards: cardEditedAt,
  commitments: commitmentEditedAt,
  lists: listEditedAt,
};

/** The note of a highlight. That of a list is not offered back when another device overtakes it. */
const noteOf = (state: State) => ('color' in state ? state.note : null);

/** A record of these parts; whether it is unsent follows from them. */
function recordOf<State>(parts: Omit<StudyRecord<State>, 'unsent'>): StudyRecord<State> {
  const { member, id, state, rev, sentRev, refused, noteSentAt, overtaken } = parts;
  return { member, id, state, rev, sentRev, refused, noteSentAt, overtaken, ...(rev > sentRev && { unsent: 1 as const }) };
}

/** The record after a change on this device. */
export function edited<S extends RecordStore>(store: S, member: number, known: StudyRecord<States[S]> | undefined, state: States[S]): StudyRecord<States[S]> {
  if (!known) return recordOf({ member, id: state.id, state, rev: 1, sentRev: 0, refused: null, noteSentAt: null, overtaken: null });
  return recordOf({ ...known, state: MERGE[store](known.state, state), rev: known.rev + 1, refused: null });
}

/** What becomes of a record that the member deletes. One that the server has refused, and does not have, is dropped: it would be refused again. */
export const removed =
  <S extends RecordStore>(store: S, member: number, at: number): Update<S> =>
  (known) => {
    if (!known) return null;
    const { state, refused } = known;
    if (refused !== null && state.version === null) return 'dropped';
    return edited(store, member, known, { ...state, deletedAt: Math.max(at, EDITED_AT[store](state)) });
  };

/** The record after the server's state has arrived. `sentRev`: the change that the server has now. */
function received<S extends RecordStore>(
  store: S,
  member: number,
  known: StudyRecord<States[S]> | undefined,
  server: States[S],
  sentRev: number,
): StudyRecord<States[S]> {
  const noteSentAt = noteOf(server)?.at ?? null;
  if (!known) return recordOf({ member, id: server.id, state: server, rev: 0, sentRev: 0, refused: null, noteSentAt, overtaken: null });
  const isUnsent = known.rev > sentRev;
  // Another answer of the server, which was faster, may have brought a later state.
  const isOlder = (server.version ?? -1) < (known.state.version ?? -1);
  const state = isUnsent || isOlder ? MERGE[store](server, known.state) : server;
  return recordOf({
    ...known,
    state,
    sentRev,
    noteSentAt,
    refused: isUnsent ? known.refused : null,
    overtaken: overtakenNote(known, state) ?? known.overtaken,
  });
}

/** A note of this device that was not sent, and that another device's note replaces. */
function overtakenNote(known: StudyRecord<State>, now: State): string | null {
  const [own, other] = [noteOf(known.state), noteOf(now)];
  if (!own || !other || own.value === '' || own.at === known.noteSentAt) return null;
  return own.value === other.value ? null : own.value;
}

/** Whether it was not deleted, or changed since. */
export const isThere = <S extends RecordStore>(store: S, state: States[S]): boolean => state.deletedAt === null || state.deletedAt < EDITED_AT[store](state);

/** The record after the server has accepted the change `rev` and answered with its merged state. */
export const acknowledged =
  <S extends RecordStore>(store: S, member: number, rev: number, state: States[S]): Update<S> =>
  (known) =>
    known ? received(store, member, known, state, Math.max(known.sentRev, rev)) : null;

/** The record after the change feed has brought the server's state. */
export const pulled =
  <S extends RecordStore>(store: S, member: number, state: States[S]): Update<S> =>
  (known) => {
    // A deleted record that this device does not have is not needed.
    if (!known) return isThere(store, state) ? received(store, member, known, state, 0) : null;
    // Of the same version it may differ in what the member may read.
    const isKnown = !known.unsent && (known.state.version ?? -1) > (state.version ?? -1);
    return isKnown ? null : received(store, member, known, state, known.sentRev);
  };
