import { describe, expect, it } from 'vitest';
import {
  filterHighlights,
  filtersIn,
  firstOf,
  groupBySource,
  isFiltered,
  sourceChoices,
  sourceKey,
  tagChoices,
} from '@/features/study/highlights/filterHighlights';
import type { Highlight } from '@/shared/study/records';
import { sampleHighlight } from '@test/study';

const one = (id: number, more: Partial<Highlight> = {}) => ({ state: sampleHighlight({ id, ...more }) });
const words = (exact: string): Partial<Highlight> => ({ anchor: { section: 0, start: 0, end: exact.length, exact, prefix: '', suffix: '' } });
const tagged = (...tags: string[]): Partial<Highlight> => ({ tags: tags.map((tag) => ({ tag, on: true, at: 1 })) });
const MEDITATIONS = { bookId: 13, subid: 'meditations', title: 'Meditations', author: 'Marcus Aurelius' };

const ALL = [
  one(1, { ...words('The woods are “lovely”'), ...tagged('Nature') }),
  one(2, { ...MEDITATIONS, ...words('Waste no more time'), note: { value: 'Ask Zoë about it', at: 1 }, color: { value: 'rose', at: 1 } }),
  one(3, { ...words('Simplify'), ...tagged('nature', 'habits'), place: { state: 'changed', section: 0, start: 0, end: 8, text: 'Simplified' } }),
  one(4, { ...MEDITATIONS, ...words('The obstacle'), place: { state: 'gone', section: null, start: null, end: null, text: null } }),
  one(5, { anchor: null, heard: { audio: 4_000 }, place: null }),
];
const found = (search: string) => filterHighlights(ALL, filtersIn(new URLSearchParams(search))).map(({ state }) => state.id);

describe('the filters of the highlights (study.highlights-page)', () => {
  it.each([
    ['', [1, 2, 3, 4, 5]],
    ['q=WOODS', [1]],
    ['q=zoe', [2]],
    ['q=meditations', [2, 4]],
    ['q=habit', [3]],
    ['q=%23habits', [3]],
    ['q=the+obstacle', [4]],
    // Each word in any part: one in the words, one in the title.
    ['q=obstacle+meditations', [4]],
    // Typographic characters are found by plain ones.
    ['q=%22lovely%22', [1]],
    ['q=nothing+of+this', []],
    ['q=+++', [1, 2, 3, 4, 5]],
    ['book=meditations', [2, 4]],
    ['book=unknown', []],
    ['tag=NATURE', [1, 3]],
    ['color=rose', [2]],
    ['color=mauve', [1, 2, 3, 4, 5]],
    ['state=note', [2]],
    ['state=edited', [3]],
    ['state=gone', [4]],
    ['state=constructor', [1, 2, 3, 4, 5]],
    ['book=walden&tag=nature&state=edited', [3]],
    ['book=walden&color=rose', []],
  ])('%s finds %j', (search, ids) => expect(found(search)).toEqual(ids));

  it('find no tag that was taken away', () => {
    const [without] = [one(6, { tags: [{ tag: 'old', on: false, at: 2 }] })];
    expect(filterHighlights([without], filtersIn(new URLSearchParams('tag=old')))).toEqual([]);
    expect(filterHighlights([without], filtersIn(new URLSearchParams('q=old')))).toEqual([]);
  });

  it('find a highlight by what it is changed to', () => {
    const before = one(1);
    expect(filterHighlights([before], filtersIn(new URLSearchParams('q=why')))).toEqual([]);
    const after = { state: { ...before.state, note: { value: 'Why?', at: 2 } } };
    expect(filterHighlights([after], filtersIn(new URLSearchParams('q=why')))).toEqual([after]);
  });

  it('count as none when all are empty or unknown', () => {
    expect(isFiltered(filtersIn(new URLSearchParams('q=+&book=&tag=&color=mauve&state=x&other=1')))).toBe(false);
    expect(isFiltered(filtersIn(new URLSearchParams('tag=a')))).toBe(true);
  });

  it('offer the sources by title and the tags, with their numbers', () => {
    expect(sourceChoices(ALL)).toEqual([
      { value: 'meditations', label: 'Meditations', count: 2 },
      { value: 'walden', label: 'Walden', count: 3 },
    ]);
    expect(tagChoices(ALL)).toEqual([
      { value: 'habits', label: 'habits', count: 1 },
      { value: 'nature', label: 'Nature', count: 2 },
    ]);
  });
});

describe('the groups of the highlights', () => {
  it('have the source of the latest first, and keep the order within', () => {
    expect(groupBySource(ALL).map(({ key, highlights }) => [key, highlights.map(({ state }) => state.id)])).toEqual([
      ['walden', [1, 3, 5]],
      ['meditations', [2, 4]],
    ]);
  });

  it('keep apart own summaries, and deleted sources by title and author', () => {
    const deleted = { bookId: null, subid: null, summaryId: null };
    const keys = [
      sampleHighlight({ ...deleted, summaryId: 5 }),
      sampleHighlight({ ...deleted, title: 'Emma', author: 'Jane Austen' }),
      sampleHighlight({ ...deleted, title: 'Emma', author: 'Kenneth Goldsmith' }),
      sampleHighlight({ subid: null }),
    ].map(sourceKey);
    expect(keys).toEqual(['ai/5', 'deleted/Emma/Jane Austen', 'deleted/Emma/Kenneth Goldsmith', 'book/12']);
  });

  it('are cut after a number of highlights', () => {
    const shown = (count: number) => firstOf(groupBySource(ALL), count).map(({ highlights }) => highlights.length);
    expect(shown(2)).toEqual([2]);
    expect(shown(3)).toEqual([3]);
    expect(shown(4)).toEqual([3, 1]);
    expect(shown(Infinity)).toEqual([3, 2]);
  });
});
