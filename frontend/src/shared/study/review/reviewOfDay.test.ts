import { describe, expect, it } from 'vitest';
import { cardsInReview, nextDueDay, reviewOfDay } from '@/shared/study/review/reviewOfDay';
import type { CardFacts } from '@/shared/study/review/reviewOfDay';
import cases from '../../../../../crates/study/src/review_cases.json';

describe('the review of a day (study.daily-maximum, study.free-cards)', () => {
  it('has cases that the server shares', () => expect(cases.length).toBeGreaterThan(10));

  it.each(cases)('$name', ({ cards, freeLimit, max, today, inReview, due, done, later }) => {
    const facts = cards.map(({ paused, askable, ...rest }) => ({ ...rest, isPaused: paused, isAskable: askable }));
    expect(cardsInReview(facts, freeLimit)).toEqual(inReview);
    expect(reviewOfDay(facts, freeLimit, max, today)).toEqual({ due, done, later });
  });
});

describe('the day on which the next card is asked', () => {
  const TODAY = '2026-11-28';
  const card = (id: number, due: string, more: Partial<CardFacts> = {}): CardFacts => ({
    id,
    createdAt: id,
    isPaused: false,
    isAskable: true,
    due,
    firstAnswerToday: null,
    ...more,
  });
  const next = (cards: CardFacts[], freeLimit: number | null = null, max = 5) => nextDueDay(cards, freeLimit, reviewOfDay(cards, freeLimit, max, TODAY), TODAY);

  it('is today while a card is due', () => expect(next([card(1, '2026-12-03'), card(2, '2026-11-20')])).toBe(TODAY));

  it('is the first day on which one is due', () => expect(next([card(1, '2026-12-03'), card(2, '2026-11-30')])).toBe('2026-11-30'));

  it('is tomorrow when more are due than the day asks', () => {
    const done = Array.from({ length: 5 }, (_, id) => card(id + 1, '2026-12-09', { firstAnswerToday: 1 }));
    expect(next([...done, card(6, '2026-11-20')])).toBe('2026-11-29');
  });

  it('is none without a card in review', () => {
    expect(next([])).toBeNull();
    expect(next([card(1, TODAY, { isPaused: true }), card(2, TODAY, { isAskable: false })])).toBeNull();
    expect(next([card(1, '2026-12-03'), card(2, '2026-11-20')], 1)).toBe('2026-12-03');
  });
});
