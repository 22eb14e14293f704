// Changes of commitments that are stored on this device and sent at once.
import { serverNow } from '@/api/clock';
import type { Book } from '@/api/types';
import { nextMoment } from '@/shared/positions/places';
import { charsIn } from '@/shared/study/chars';
import { reachedAsking } from '@/shared/study/commitments/askings';
import { COMMITMENT_MAX_CHARS } from '@/shared/study/commitments/commitment';
import type { AskingDay, Commitment, Outcome } from '@/shared/study/commitments/commitment';
import { dayOf } from '@/shared/study/days';
import { newId } from '@/shared/study/ids';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';

async function save(commitment: Commitment): Promise<void> {
  await studyStore.putCommitment(commitment);
  await syncStudy();
}

/** A text as one paragraph, as the server keeps it. */
export const paragraphOf = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** Why a text can't be kept; null when it can. */
export function commitmentError(text: string): string | null {
  const paragraph = paragraphOf(text);
  if (paragraph === '') return 'Please write what you will do.';
  return charsIn(paragraph) > COMMITMENT_MAX_CHARS ? 'Please keep it to 500 characters.' : null;
}

export type CommitmentBook = Pick<Book, 'id' | 'subid' | 'title' | 'author'>;

export function keepCommitment(book: CommitmentBook, text: string): Promise<void> {
  const at = nextMoment();
  return save({
    id: newId(),
    bookId: book.id,
    subid: book.subid,
    title: book.title,
    author: book.author,
    text: { value: paragraphOf(text), at },
    outcome: { value: 'open', at },
    answeredDay: null,
    createdAt: at,
    deletedAt: null,
    version: null,
  });
}

/** Changes the text, which answers what was asked until now. `zone`: the member's. */
export function changeText(commitment: Commitment, text: string, zone: string): Promise<void> {
  const reached = reachedAsking(dayOf(commitment.createdAt, zone), dayOf(serverNow(), zone));
  return save({ ...commitment, text: { value: paragraphOf(text), at: nextMoment() }, answeredDay: reached ?? commitment.answeredDay });
}

export const setOutcome = (commitment: Commitment, outcome: Outcome): Promise<void> => save({ ...commitment, outcome: { value: outcome, at: nextMoment() } });

/** 'Not yet': it is not asked again before the next asking. */
export const answerNotYet = (commitment: Commitment, day: AskingDay): Promise<void> => save({ ...commitment, answeredDay: day });

export async function removeCommitment({ id }: Commitment): Promise<void> {
  await studyStore.removeCommitment(id);
  await syncStudy();
}

/** Brings a deleted commitment back: it is changed now, to what it was. */
export const restoreCommitment = (commitment: Commitment): Promise<void> => save({ ...commitment, text: { ...commitment.text, at: nextMoment() } });
