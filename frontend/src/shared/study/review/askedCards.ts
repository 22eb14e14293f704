// Review cards as they are asked: with the answers that are on this device only.
import { FIRST_INTERVALS } from '@/shared/study/cardQuestions';
import { addDays, dayOf } from '@/shared/study/days';
import { isCardShown, isShown } from '@/shared/study/records';
import type { CardAnswer, CardSchedule, ReviewCard } from '@/shared/study/records';
import type { CardFacts } from '@/shared/study/review/reviewOfDay';
import type { StudyRecord } from '@/shared/study/studyStorage';
import type { StudySnapshot } from '@/shared/study/studyStore';

type Intervals = CardSchedule['next'];
type Highlights = StudySnapshot['highlights'];

/** The intervals after Again on the same day, until the server tells the card's own. */
const INTERVALS_AFTER_AGAIN: Intervals = [0, 1, 1, 1];

/** A card with what this device knows of it. */
export interface AskedCard {
  record: StudyRecord<ReviewCard>;
  card: ReviewCard;
  facts: CardFacts;
  /** In days, after Again, Hard, Good and Easy. */
  next: Intervals;
}

/** Whether what a card asks for is still there (study.review-cards). */
export function isAskable(card: ReviewCard, highlights: Highlights): boolean {
  if (card.schedule?.state === 'gone') return false;
  if (card.kind !== 'highlight') return true;
  const known = card.highlightId === null ? undefined : highlights.get(card.highlightId)?.state;
  // A highlight that this device does not have yet: the server knows.
  return known ? isShown(known) && known.anchor !== null : card.schedule !== null && card.schedule.question !== '';
}

/** All cards that are there, with the answers of this device applied to the server's schedules. `unsaved`: one that is not stored yet. */
export function askedCards({ cards, answers, highlights }: StudySnapshot, zone: string, today: string, unsaved: CardAnswer | null): AskedCard[] {
  const given = new Map<number, CardAnswer[]>();
  const all = new Map<number, CardAnswer>(answers);
  if (unsaved) all.set(unsaved.id, unsaved);
  for (const answer of [...all.values()].sort((one, other) => one.at - other.at)) {
    given.set(answer.cardId, [...(given.get(answer.cardId) ?? []), answer]);
  }
  return [...cards.values()].filter(({ state }) => isCardShown(state)).map((record) => askedCard(record, given.get(record.id) ?? [], highlights, zone, today));
}

function askedCard(record: StudyRecord<ReviewCard>, answers: readonly CardAnswer[], highlights: Highlights, zone: string, today: string): AskedCard {
  const { state: card } = record;
  const { schedule, createdAt } = card;
  let due = schedule?.due ?? dayOf(createdAt, zone);
  let next: Intervals = schedule?.next ?? FIRST_INTERVALS;
  // The moment of an answer that the server has is not known here.
  let firstAnswerToday = schedule?.last === today ? 0 : null;
  for (const { at, rating } of answers) {
    const day = dayOf(at, zone);
    due = addDays(day, next[rating - 1] ?? 0);
    if (rating === 1) next = INTERVALS_AFTER_AGAIN;
    if (day === today) firstAnswerToday ??= at;
  }
  const facts = { id: card.id, createdAt, isPaused: card.paused.value, isAskable: isAskable(card, highlights), due, firstAnswerToday };
  return { record, card, facts, next };
}
