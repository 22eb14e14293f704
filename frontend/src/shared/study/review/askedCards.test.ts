import { describe, expect, it } from 'vitest';
import type { CardAnswer, CardSchedule, ReviewCard } from '@/shared/study/records';
import { askedCards, isAskable } from '@/shared/study/review/askedCards';
import type { StudySnapshot } from '@/shared/study/studyStore';
import { recordsOf, sampleCard, sampleHighlight, snapshotOf } from '@test/study';

const TODAY = '2026-11-28';
const at = (day: string, hour = 12) => Date.parse(`${day}T${String(hour).padStart(2, '0')}:00:00Z`);
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

const only = (snapshot: StudySnapshot, unsaved: CardAnswer | null = null) => askedCards(snapshot, 'UTC', TODAY, unsaved)[0];

describe('a card with the answers of this device', () => {
  it('has the server’s schedule', () => {
    expect(only(snapshotOf([sampleCard({ schedule: schedule() })]))).toMatchObject({ facts: { due: TODAY, firstAnswerToday: null }, next: [0, 3, 9, 40] });
    expect(only(snapshotOf([sampleCard({ schedule: schedule({ last: TODAY }) })]))?.facts.firstAnswerToday).toBe(0);
  });

  it('without a schedule is due on the day on which it was made', () => {
    expect(only(snapshotOf([sampleCard({ createdAt: at('2026-11-20') })]))).toMatchObject({ facts: { due: '2026-11-20' }, next: [0, 1, 2, 8] });
  });

  it('is due after the interval of its rating', () => {
    const card = sampleCard({ schedule: schedule() });
    const good = { id: 1, cardId: 9, rating: 3 as const, at: at(TODAY) };
    for (const one of [only(snapshotOf([card], [good])), only(snapshotOf([card]), good)]) {
      expect(one?.facts).toMatchObject({ due: '2026-12-07', firstAnswerToday: good.at });
    }
    // One of another day is no answer of today.
    expect(only(snapshotOf([card], [{ ...good, at: at('2026-11-26') }]))?.facts).toMatchObject({ due: '2026-12-05', firstAnswerToday: null });
  });

  it('answered Again is due today, and tomorrow after another rating', () => {
    const card = sampleCard({ schedule: schedule() });
    const again = { id: 2, cardId: 9, rating: 1 as const, at: at(TODAY, 9) };
    expect(only(snapshotOf([card], [again]))).toMatchObject({ facts: { due: TODAY, firstAnswerToday: again.at }, next: [0, 1, 1, 1] });
    const good = { id: 1, cardId: 9, rating: 3 as const, at: at(TODAY, 10) };
    expect(only(snapshotOf([card], [good, again]))?.facts).toMatchObject({ due: '2026-11-29', firstAnswerToday: again.at });
  });

  it('that was deleted is no card', () => expect(only(snapshotOf([sampleCard({ deletedAt: 5 })]))).toBeUndefined());

  it('counts days in the member’s zone', () => {
    const night = { id: 1, cardId: 9, rating: 1 as const, at: Date.parse('2026-11-28T23:30:00Z') };
    const [card] = askedCards(snapshotOf([sampleCard({ schedule: schedule() })], [night]), 'Europe/Berlin', '2026-11-29', null);
    expect(card?.facts).toMatchObject({ due: '2026-11-29', firstAnswerToday: night.at });
  });
});

describe('a card whose text is gone (study.review-cards)', () => {
  const { highlights } = snapshotOf([]);
  const ofHighlight = (more: Partial<ReviewCard> = {}) =>
    sampleCard({ kind: 'highlight', highlightId: 7, schedule: schedule({ question: '', answer: '' }), ...more });

  it('is not asked', () => {
    expect(isAskable(sampleCard(), highlights)).toBe(true);
    expect(isAskable(sampleCard({ schedule: schedule({ state: 'gone' }) }), highlights)).toBe(false);
    expect(isAskable(ofHighlight(), highlights)).toBe(true);
    expect(isAskable(ofHighlight(), recordsOf([sampleHighlight({ deletedAt: 5 })]))).toBe(false);
  });

  it('is asked with the server’s question where this device lacks the highlight', () => {
    expect(isAskable(ofHighlight(), new Map())).toBe(false);
    expect(isAskable(ofHighlight({ schedule: schedule() }), new Map())).toBe(true);
  });
});
