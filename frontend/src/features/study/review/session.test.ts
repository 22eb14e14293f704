import { describe, expect, it } from 'vitest';
import { NEW_SESSION, progressOf, resultOf, sessionReducer } from '@/features/study/review/session';
import type { Session, SessionAction } from '@/features/study/review/session';
import type { Rating } from '@/shared/study/records';

let answers = 0;
const rate = (cardId: number, rating: Rating): SessionAction => {
  answers += 1;
  return { type: 'rate', answer: { id: answers, cardId, rating, at: answers } };
};
const due = (...ids: number[]): SessionAction => ({ type: 'due', due: ids });
const show: SessionAction = { type: 'show' };
const undo: SessionAction = { type: 'undo' };
const after = (...actions: SessionAction[]): Session => actions.reduce(sessionReducer, NEW_SESSION);

describe('a review session (study.review-screen)', () => {
  it('asks one card after the other', () => {
    const first = after(due(1, 2));
    expect(first).toMatchObject({ queue: [1, 2], isAnswerShown: false });
    expect(sessionReducer(first, show).isAnswerShown).toBe(true);
    const second = after(due(1, 2), show, rate(1, 3));
    expect(second).toMatchObject({ queue: [2], isAnswerShown: false, unsaved: { cardId: 1, rating: 3 } });
    expect(after(due(1, 2), show, rate(1, 3), show, rate(2, 4)).queue).toEqual([]);
  });

  it('takes no rating before the answer is shown, and none of another card', () => {
    expect(after(due(1, 2), rate(1, 3)).queue).toEqual([1, 2]);
    expect(after(due(1, 2), show, rate(2, 3)).queue).toEqual([1, 2]);
    expect(after(show)).toEqual(NEW_SESSION);
  });

  it('asks a card that was answered Again once more, after the others', () => {
    const again = after(due(1, 2, 3), show, rate(1, 1));
    expect(again.queue).toEqual([2, 3, 1]);
    expect(progressOf(again)).toEqual({ done: 0, total: 3 });
    expect(after(due(1, 2, 3), show, rate(1, 1), show, rate(2, 3), show, rate(3, 3), show, rate(1, 2)).queue).toEqual([]);
  });

  it('turns to the only card again', () => {
    const again = after(due(1), show, rate(1, 1));
    expect(again).toMatchObject({ queue: [1], isAnswerShown: false });
    expect(again.turn).toBeGreaterThan(after(due(1)).turn);
  });

  it('keeps the order of cards that are asked again', () => {
    const actions = [due(1, 2, 3), show, rate(1, 1), show, rate(2, 1), show, rate(3, 1)];
    expect(after(...actions).queue).toEqual([1, 2, 3]);
    // The day's review sorts them by their first answers.
    expect(after(...actions, show, rate(1, 1), due(1, 2, 3)).queue).toEqual([2, 3, 1]);
    expect(after(...actions, show, rate(1, 1), due(1, 2, 3), show, rate(2, 1), due(1, 2, 3)).queue).toEqual([3, 1, 2]);
  });

  it('takes the last rating back, and shows its answer', () => {
    const before = after(due(1, 2), show);
    const back = [rate(1, 3), undo].reduce(sessionReducer, before);
    expect(back).toMatchObject({ queue: [1, 2], isAnswerShown: true, unsaved: null });
    expect(resultOf(back)).toEqual({ cards: 0, right: 0 });
    expect([rate(1, 1), undo].reduce(sessionReducer, before).queue).toEqual([1, 2]);
    expect(after(due(1), show, rate(1, 3), undo).queue).toEqual([1]);
    expect(sessionReducer(before, undo)).toBe(before);
  });

  it('keeps the first rating when the second is taken back', () => {
    const back = after(due(1), show, rate(1, 1), show, rate(1, 3), undo);
    expect(back.queue).toEqual([1]);
    expect(resultOf(back)).toEqual({ cards: 1, right: 0 });
  });

  it('can not take back what was stored', () => {
    const rated = after(due(1, 2), show, rate(1, 3));
    const saved = sessionReducer(rated, { type: 'saved', id: rated.unsaved?.id ?? 0 });
    expect(sessionReducer(saved, undo)).toBe(saved);
    // That of another rating changes nothing.
    expect(sessionReducer(rated, { type: 'saved', id: -1 })).toBe(rated);
  });

  it('follows what is due, and leaves the current card where it is', () => {
    const shown = after(due(2, 3), show);
    expect(sessionReducer(shown, due(1, 2, 3))).toMatchObject({ queue: [2, 1, 3], isAnswerShown: true });
    // Answered on another device, or paused.
    expect(sessionReducer(shown, due(3))).toMatchObject({ queue: [3], isAnswerShown: false });
    expect(sessionReducer(shown, due(2, 3))).toBe(shown);
    // Cards that are due now are asked before those that are asked again.
    expect(after(due(1, 2), show, rate(1, 1), due(2, 5, 1)).queue).toEqual([2, 5, 1]);
  });

  it('counts its cards, and those that were right the first time', () => {
    const end = after(due(1, 2, 3), show, rate(1, 1), show, rate(2, 2), show, rate(3, 4), show, rate(1, 3));
    expect(resultOf(end)).toEqual({ cards: 3, right: 2 });
    expect(progressOf(end)).toEqual({ done: 3, total: 3 });
  });
});
