import { describe, expect, it } from 'vitest';
import { QUOTE_MAX_CHARS } from '@/shared/study/anchors';
import { isTooLong, joined, selectedPassage, trimmed } from '@/shared/study/highlights/selection';
import { sectionTextOf } from '@/shared/study/sectionText';
import { NOTE_MAX } from '@/shared/study/records';
import { forAll } from '@test/random';

const highlight = (
  id: number,
  start: number,
  end: number,
  more: { color?: 'honey' | 'sky'; isChanged?: boolean; note?: string; isJoinable?: boolean } = {},
) => ({
  id,
  start,
  end,
  color: 'honey' as const,
  isChanged: false,
  note: '',
  isJoinable: true,
  ...more,
});

describe('a selected passage', () => {
  it('has no white space at its ends', () => {
    expect(trimmed('🌲  two\n words ', { start: 1, end: 14 })).toEqual({ start: 3, end: 13 });
    expect(trimmed('a \u00a0\n b', { start: 1, end: 5 })).toBeNull();
    expect(trimmed('a', { start: 0, end: 1 })).toEqual({ start: 0, end: 1 });
  });

  it('is what is selected of the text', () => {
    const page = document.createElement('div');
    page.innerHTML = '<h2>Title</h2><div><p> One 🌲</p><p>two.</p></div><p>After</p>';
    document.body.replaceChildren(page);
    const text = sectionTextOf(page.querySelector('div') as HTMLElement);
    const range = document.createRange();
    range.selectNodeContents(page);
    expect(selectedPassage(text, range)).toEqual({ start: 1, end: 11 });
    range.selectNodeContents(page.querySelector('h2') as HTMLElement);
    expect(selectedPassage(text, range)).toBeNull();
  });

  it('has a limit', () => {
    expect([isTooLong({ start: 5, end: 5 + QUOTE_MAX_CHARS }), isTooLong({ start: 5, end: 6 + QUOTE_MAX_CHARS })]).toEqual([false, true]);
  });
});

describe('a new highlight', () => {
  it('takes the place of those of its color that it overlaps, one after the other', () => {
    const own = [highlight(1, 0, 10), highlight(2, 8, 20), highlight(3, 30, 40), highlight(4, 18, 25, { color: 'sky' })];
    expect(joined({ start: 15, end: 32 }, 'honey', own)).toEqual({ existing: null, passage: { start: 0, end: 40 }, replaced: [2, 1, 3] });
  });

  it('leaves those that it only touches, those of another color, and those whose words were edited', () => {
    const others = [highlight(1, 0, 5), highlight(2, 10, 15), highlight(3, 6, 9, { color: 'sky' }), highlight(4, 6, 9, { isChanged: true })];
    expect(joined({ start: 5, end: 10 }, 'honey', others)).toEqual({ existing: null, passage: { start: 5, end: 10 }, replaced: [] });
  });

  it('within one of its color is that one', () => {
    expect(joined({ start: 5, end: 10 }, 'honey', [highlight(1, 5, 12)])).toEqual({ existing: 1 });
    expect(joined({ start: 5, end: 10 }, 'sky', [highlight(1, 5, 12)])).toMatchObject({ existing: null });
  });

  it('is not joined with one that is not joinable', () => {
    const own = [highlight(1, 0, 10, { isJoinable: false }), highlight(2, 18, 30)];
    expect(joined({ start: 5, end: 20 }, 'honey', own)).toEqual({ existing: null, passage: { start: 5, end: 30 }, replaced: [2] });
    expect(joined({ start: 5, end: 10 }, 'honey', own)).toEqual({ existing: 1 });
  });

  it('is not joined with one with which the notes together would be too long', () => {
    const half = 'n'.repeat(NOTE_MAX / 2 - 1);
    const own = [highlight(1, 0, 10, { note: half }), highlight(2, 12, 20, { note: half }), highlight(3, 22, 30, { note: 'n' }), highlight(4, 32, 40)];
    expect(joined({ start: 5, end: 35 }, 'honey', own)).toEqual({ existing: null, passage: { start: 0, end: 40 }, replaced: [1, 2, 4] });
  });

  it('is not joined with one with which it would be too long', () => {
    const long = [highlight(1, 0, QUOTE_MAX_CHARS), highlight(2, QUOTE_MAX_CHARS + 5, QUOTE_MAX_CHARS + 20)];
    expect(joined({ start: 1_990, end: QUOTE_MAX_CHARS + 10 }, 'honey', long)).toEqual({
      existing: null,
      passage: { start: 1_990, end: QUOTE_MAX_CHARS + 20 },
      replaced: [2],
    });
  });

  it('never loses words of those that it replaces, and overlaps none of its color that it could be joined with', () => {
    forAll(300, (random) => {
      const own = random.list(random.int(0, 6), (id) => {
        const start = random.int(0, 900);
        return highlight(id, start, start + random.int(1, 900), { color: random.pick(['honey', 'sky']) });
      });
      const start = random.int(0, 1_000);
      const passage = { start, end: start + random.int(1, QUOTE_MAX_CHARS) };
      const result = joined(passage, 'honey', own);
      if (result.existing !== null) return;
      const union = result.passage;
      expect(union.start <= passage.start && union.end >= passage.end && !isTooLong(union)).toBe(true);
      for (const one of own) {
        const isReplaced = result.replaced.includes(one.id);
        if (isReplaced) expect(union.start <= one.start && union.end >= one.end && one.color === 'honey').toBe(true);
        const isOverlap = one.start < union.end && one.end > union.start;
        const together = { start: Math.min(one.start, union.start), end: Math.max(one.end, union.end) };
        if (!isReplaced && isOverlap && one.color === 'honey') expect(isTooLong(together)).toBe(true);
      }
    });
  });
});
