// Changes of review cards that are stored on this device and sent at once.
import { nextMoment } from '@/shared/positions/places';
import type { ReviewCard } from '@/shared/study/records';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';

/** Stores cards, then sends them. */
export async function saveCards(put: readonly ReviewCard[], removed: readonly ReviewCard[] = []): Promise<void> {
  for (const card of put) await studyStore.putCard(card);
  for (const { id } of removed) await studyStore.removeCard(id);
  await syncStudy();
}

export const pauseCard = (card: ReviewCard, isPaused: boolean): Promise<void> => saveCards([{ ...card, paused: { value: isPaused, at: nextMoment() } }]);

export const removeCard = (card: ReviewCard): Promise<void> => saveCards([], [card]);

/** Brings a deleted card back: it is changed now, to what it was. */
export const restoreCard = (card: ReviewCard): Promise<void> => saveCards([{ ...card, paused: { ...card.paused, at: nextMoment() } }]);
