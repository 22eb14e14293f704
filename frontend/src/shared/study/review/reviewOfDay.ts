// The review of a day: which cards are in review, and which of them are asked today (study.daily-maximum, study.free-cards). The
// server decides the same (crates/study/src/review.rs); review_cases.json is the table of cases that both keep.
import { plural } from '@/lib/format';
import { addDays } from '@/shared/study/days';

/** How many cards a day asks at most, until the member chooses another number. */
export const DAILY_MAX = 20;
/** How many cards are in review without a plan. */
export const FREE_CARDS = 20;
/** How long a card takes, in seconds. */
const SECONDS_PER_CARD = 15;

/** About how long cards take → '4 minutes'; at least '1 minute' */
export const minutesFor = (cards: number): string => plural(Math.max(1, Math.round((cards * SECONDS_PER_CARD) / 60)), 'minute');

/** What the review of a day depends on of a card. Deleted cards have none. */
export interface CardFacts {
  id: number;
  createdAt: number;
  isPaused: boolean;
  /** Whether what it asks for is still there. */
  isAskable: boolean;
  /** YYYY-MM-DD */
  due: string;
  /** When it was answered for the first time today; null: it was not. */
  firstAnswerToday: number | null;
}

export interface DayReview {
  /** The cards to ask, in order. */
  due: number[];
  /** How many different cards were answered today. */
  done: number;
  /** How many more cards are due than the day asks. */
  later: number;
}

type Compare = (one: CardFacts, other: CardFacts) => number;

const idsOf = (cards: readonly CardFacts[]): number[] => cards.map(({ id }) => id);

const byCreation: Compare = (one, other) => one.createdAt - other.createdAt || one.id - other.id;
const byDueDay: Compare = (one, other) => (one.due === other.due ? one.id - other.id : one.due < other.due ? -1 : 1);
const byFirstAnswer: Compare = (one, other) => (one.firstAnswerToday ?? 0) - (other.firstAnswerToday ?? 0) || one.id - other.id;

/** The cards in review, those added first at the beginning; without a plan as many of them as `freeLimit` says. */
export const cardsInReview = (cards: readonly CardFacts[], freeLimit: number | null): number[] =>
  idsOf(
    cards
      .filter(({ isPaused, isAskable }) => !isPaused && isAskable)
      .sort(byCreation)
      .slice(0, freeLimit ?? Infinity),
  );

/** The day on which the next card is asked; null when none is in review. `review`: that of today. */
export function nextDueDay(cards: readonly CardFacts[], freeLimit: number | null, review: DayReview, today: string): string | null {
  if (review.due.length > 0) return today;
  const inReview = new Set(cardsInReview(cards, freeLimit));
  // What is due beyond the maximum of today is asked tomorrow.
  const days = cards.filter(({ id }) => inReview.has(id)).map(({ due }) => (due <= today ? addDays(today, 1) : due));
  return days.sort()[0] ?? null;
}

/**
 * The review of a day that asks `max` different cards at most: what is due longest comes first. A card that was answered Again
 * today is asked once more, after the others, and counts once.
 */
export function reviewOfDay(cards: readonly CardFacts[], freeLimit: number | null, max: number, today: string): DayReview {
  const inReview = new Set(cardsInReview(cards, freeLimit));
  const done = cards.filter(({ firstAnswerToday }) => firstAnswerToday !== null).length;
  const due = cards.filter((card) => inReview.has(card.id) && card.due <= today);
  const again = due.filter(({ firstAnswerToday }) => firstAnswerToday !== null).sort(byFirstAnswer);
  const fresh = due.filter(({ firstAnswerToday }) => firstAnswerToday === null).sort(byDueDay);
  const asked = Math.min(Math.max(0, max - done), fresh.length);
  return { due: idsOf([...fresh.slice(0, asked), ...again]), done, later: fresh.length - asked };
}
