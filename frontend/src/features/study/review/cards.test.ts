import { describe, expect, it } from 'vitest';
import { cardPath, highlightsInIdea, intervalName, textOf } from '@/features/study/review/cards';
import type { CardSchedule } from '@/shared/study/records';
import { recordsOf, sampleCard, sampleHighlight, snapshotOf } from '@test/study';

const TODAY = '2026-11-28';
const schedule = (more: Partial<CardSchedule> = {}): CardSchedule => ({
  question: 'Why?',
  answer: 'Because.',
  isLocked: false,
  state: 'ok',
  due: TODAY,
  last: null,
  answers: 1,
  lapses: 0,
  next: [0, 3, 9, 40],
  isWaiting: false,
  ...more,
});

describe('what a card asks', () => {
  const { highlights } = snapshotOf([]);

  it('is the member’s own text, or the idea', () => {
    expect(textOf(sampleCard({ schedule: schedule() }), highlights)).toEqual({ cloze: null, question: 'Why to the woods?', answer: 'To live deliberately.' });
    const idea = sampleCard({ kind: 'idea', ideaTitle: 'Simplify', section: 0 });
    expect(textOf({ ...idea, schedule: schedule() }, highlights)).toMatchObject({ question: 'Why?', answer: 'Because.' });
    expect(textOf(idea, highlights)).toMatchObject({ question: 'What does “Simplify” mean?', answer: '' });
  });

  it('of a highlight is its words without the hidden ones', () => {
    const card = sampleCard({ kind: 'highlight', highlightId: 7, content: { value: { question: '', answer: '', blanks: [{ start: 0, end: 2 }] }, at: 1 } });
    expect(textOf(card, highlights)).toEqual({
      cloze: [
        { text: 'wo', isHidden: true },
        { text: 'ods', isHidden: false },
      ],
      question: '…ods',
      answer: 'woods',
    });
    expect(textOf({ ...card, schedule: schedule() }, new Map())).toEqual({ cloze: null, question: 'Why?', answer: 'Because.' });
  });

  it('of an idea has the member’s highlights in it, in the order of the text', () => {
    const place = (section: number, start: number) => ({ state: 'same' as const, section, start, end: start + 5, text: null });
    const all = recordsOf([
      sampleHighlight({ id: 1, place: place(2, 40) }),
      sampleHighlight({ id: 2, place: place(2, 8) }),
      sampleHighlight({ id: 3, place: place(1, 8) }),
      sampleHighlight({ id: 4, place: place(2, 9), deletedAt: 9 }),
      sampleHighlight({ id: 5, place: place(2, 9), bookId: 13 }),
      sampleHighlight({ id: 6, place: place(2, 9), part: 'quote' }),
    ]);
    expect(highlightsInIdea(sampleCard({ kind: 'idea', section: 2 }), all).map(({ id }) => id)).toEqual([2, 1]);
    expect(highlightsInIdea(sampleCard({ section: 2 }), all)).toEqual([]);
  });

  it('is opened where it stands', () => {
    const idea = sampleCard({ kind: 'idea', section: 2 });
    expect(cardPath(idea, highlights)).toBe('/books/walden?section=3');
    // The server has found it elsewhere.
    expect(cardPath({ ...idea, schedule: schedule({ section: 4 }) }, highlights)).toBe('/books/walden?section=5');
    expect(cardPath({ ...idea, schedule: schedule({ state: 'gone' }) }, highlights)).toBe('/books/walden');
    expect(cardPath(sampleCard({ kind: 'highlight', highlightId: 7 }), highlights)).toBe('/books/walden?section=1');
    expect(cardPath(sampleCard(), highlights)).toBe('/books/walden');
    expect(cardPath(sampleCard({ subid: null, bookId: null, summaryId: 5 }), highlights)).toBe('/ai/5');
    expect(cardPath(sampleCard({ subid: null, bookId: null }), highlights)).toBeNull();
  });
});

describe('an interval', () => {
  it.each([
    [0, 'today'],
    [1, '1 day'],
    [13, '13 days'],
    [14, '2 weeks'],
    [35, '5 weeks'],
    [60, '2 months'],
    [365, '12 months'],
    [730, '2 years'],
    [3650, '10 years'],
  ])('of %i days is %j', (days, name) => expect(intervalName(days)).toBe(name));
});
