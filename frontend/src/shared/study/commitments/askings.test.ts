import { describe, expect, it } from 'vitest';
import { agoOf, askedToday, reachedAsking } from '@/shared/study/commitments/askings';
import type { Commitment } from '@/shared/study/commitments/commitment';
import { sampleCommitment } from '@test/study';
import cases from '../../../../../crates/study/src/asking_cases.json';

describe('the commitments that are asked about today (study.commitment-askings)', () => {
  it('have cases that the server shares', () => expect(cases.length).toBeGreaterThan(10));

  it.each(cases)('$name', ({ today, commitments, asked }) => {
    const all = commitments.map(({ id, createdAt, outcome, answeredDay, deleted }) =>
      sampleCommitment({
        id,
        createdAt,
        text: { value: 'Own less.', at: 0 },
        outcome: { value: outcome as Commitment['outcome']['value'], at: createdAt },
        answeredDay: answeredDay as Commitment['answeredDay'],
        deletedAt: deleted ? createdAt + 1 : null,
      }),
    );
    expect(askedToday(all, 'UTC', today).map(({ commitment, day }) => ({ id: commitment.id, day }))).toEqual(asked);
  });

  it('count days in the member’s zone', () => {
    const late = sampleCommitment({ createdAt: Date.parse('2026-11-25T23:30:00Z') });
    expect(askedToday([late], 'UTC', '2026-11-28')).toHaveLength(1);
    expect(askedToday([late], 'Europe/Berlin', '2026-11-28')).toEqual([]);
    expect(askedToday([late], 'Europe/Berlin', '2026-11-30')[0]).toMatchObject({ day: 3, daysAgo: 4 });
  });
});

describe('what was asked until a day', () => {
  it.each([
    ['2026-11-27', null],
    ['2026-11-28', 3],
    ['2026-12-08', 3],
    ['2026-12-09', 14],
  ])('%s: %s', (today, day) => expect(reachedAsking('2026-11-25', today)).toBe(day));
});

describe('how long ago', () => {
  it.each([
    [3, 'Three days ago'],
    [5, '5 days ago'],
    [14, 'Two weeks ago'],
    [30, '30 days ago'],
  ])('%i days: %s', (days, text) => expect(agoOf(days)).toBe(text));
});
