import { describe, expect, it } from 'vitest';
import { countAnswers, namesOf } from '@/features/challenge/quizzes/quiz';

const questions = ['Red', 'Blue', 'Red', 'Yellow', 'Red'].map((type, i) => ({ id: i + 1, type, statement: `Statement ${i + 1}.` }));
const said = (...truths: boolean[]) => truths.map((answer, i) => ({ id: i + 1, answer }));

describe('the count of a quiz', () => {
  it('counts one for True and nothing for False, in the order of the colours', () => {
    const { totals, leaders, takenAt } = countAnswers(questions, said(true, false, true, true, false), 7);
    expect(totals).toEqual([
      { type: 'Red', count: 2, questions: 3, percent: 67 },
      { type: 'Yellow', count: 1, questions: 1, percent: 100 },
      { type: 'Blue', count: 0, questions: 1, percent: 0 },
    ]);
    // The leader is determined by the count, not by the share.
    expect(leaders).toEqual(['Red']);
    expect(takenAt).toBe(7);
  });

  it('has several leaders on a tie, and none when nothing was true', () => {
    expect(countAnswers(questions, said(true, true, false, false, false), 0).leaders).toEqual(['Red', 'Blue']);
    expect(countAnswers(questions, said(false, false, false, false, false), 0).leaders).toEqual([]);
  });

  it('names leaders as a sentence does', () => {
    expect(namesOf(['Red'])).toBe('Red');
    expect(namesOf(['Red', 'Blue'])).toBe('Red and Blue');
  });
});
