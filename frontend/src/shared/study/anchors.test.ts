import { describe, expect, it } from 'vitest';
import { CONTEXT_CHARS, LONE_QUOTE_CHARS, anchorOf, find, folded, hasWords } from '@/shared/study/anchors';
import { charsIn, charsOf, unitsAt } from '@/shared/study/chars';
import type { Anchor, Found } from '@/shared/study/anchors';
import { forAll } from '@test/random';
import type { Random } from '@test/random';
import cases from '../../../../crates/study/src/anchor_cases.json';

const WORDS = Array.from({ length: 300 }, (_, index) => `${['wood', 'pond', 'été', '🌲', '森', 'e\u0301'][index % 6] ?? ''}${index.toString(36)}`);

const sentence = (random: Random) => `${random.list(random.int(3, 12), () => random.pick(WORDS)).join(' ')}.`;
const paragraph = (random: Random) => random.list(random.int(1, 4), () => sentence(random)).join(' ');
const section = (random: Random) => random.list(random.int(1, 6), () => paragraph(random)).join('\n');
const book = (random: Random) => random.list(random.int(1, 5), () => section(random));

/** A passage of a book: its section and its range in characters. */
function passage(random: Random, texts: readonly string[]): Found {
  const at = random.int(0, texts.length - 1);
  const length = charsIn(texts[at] ?? '');
  const start = random.int(0, length - 1);
  return { section: at, start, end: Math.min(length, start + random.int(1, 120)) };
}

function anchorAt(texts: readonly string[], { section: at, start, end }: Found): Anchor {
  const anchor = anchorOf(texts[at] ?? '', at, start, end);
  if (!anchor) throw new Error('An empty passage.');
  return anchor;
}

const wordsAt = (texts: readonly string[], { section: at, start, end }: Found) => charsOf(texts[at] ?? '', start, end);

/** The passage with up to 32 characters on each side. */
const windowOf = (texts: readonly string[], { section: at, start, end }: Found) =>
  charsOf(texts[at] ?? '', Math.max(0, start - CONTEXT_CHARS), end + CONTEXT_CHARS);

/** How often a text stands in the sections. */
const count = (texts: readonly string[], wanted: string) => texts.reduce((sum, text) => sum + text.split(wanted).length - 1, 0);

/** Changes a text: removes, adds or moves paragraphs. */
function edited(random: Random, text: string): string {
  const paragraphs = text === '' ? [] : text.split('\n');
  for (let edits = random.int(0, 3); edits > 0; edits -= 1) {
    const at = random.int(0, paragraphs.length);
    if (random.chance(0.4)) paragraphs.splice(at, 1);
    else paragraphs.splice(at, 0, paragraph(random));
  }
  return paragraphs.join('\n');
}

describe('an anchor', () => {
  it.each(cases)('is found as the server finds it: $name', ({ texts, anchor, found }) => {
    expect(find(anchor, texts)).toEqual(found);
  });

  it('has the words and up to 32 characters on each side', () => {
    expect(anchorOf('Ein schöner 🌲.', 2, 4, 13)).toEqual({ section: 2, start: 4, end: 13, exact: 'schöner 🌲', prefix: 'Ein ', suffix: '.' });
    const long = 'x'.repeat(100);
    expect(anchorOf(long, 0, 40, 50)).toMatchObject({ prefix: 'x'.repeat(CONTEXT_CHARS), suffix: 'x'.repeat(CONTEXT_CHARS) });
  });

  it('is not made of no words, nor of positions beyond the text', () => {
    for (const [start, end] of [
      [1, 1],
      [2, 1],
      [-1, 2],
      [0, 5],
    ] as const)
      expect(anchorOf('A 🌲.', 0, start, end)).toBeNull();
    expect(anchorOf('A 🌲.', 0, 0, 4)).not.toBeNull();
  });

  it('in a text that was not edited is found where it is, or where all around it is the same', () => {
    forAll(400, (random) => {
      const texts = book(random);
      const place = passage(random, texts);
      const found = find(anchorAt(texts, place), texts);
      if (!found) throw new Error('Not found.');
      expect(windowOf(texts, found)).toBe(windowOf(texts, place));
      if (count(texts, windowOf(texts, place)) === 1) expect(found).toEqual(place);
    });
  });

  it('is found wherever the passage goes with what is around it', () => {
    forAll(400, (random) => {
      const texts = book(random);
      const place = passage(random, texts);
      const anchor = anchorAt(texts, place);
      // The whole section stays, or it moves with others before and after, or its paragraphs stand in a longer one.
      const whole = texts[place.section] ?? '';
      const before = random.chance(0.5) ? `${paragraph(random)}\n` : '';
      const after = random.chance(0.5) ? `\n${paragraph(random)}` : '';
      const others = random.shuffled(texts.filter((_, at) => at !== place.section).map((text) => edited(random, text)));
      const to = random.int(0, others.length);
      const now = others.toSpliced(to, 0, before + whole + after);
      const isWhole = charsIn(windowOf(texts, place)) === charsIn(anchor.exact) + 2 * CONTEXT_CHARS;
      const shift = charsIn(before);
      const expected = { section: to, start: place.start + shift, end: place.end + shift };
      const found = find(anchor, now);
      // At the edge of a section the passage loses one of its sides, which may leave too little.
      if (!isWhole && found === null) return;
      if (!found) throw new Error('Not found.');
      expect(folded(wordsAt(now, found))).toBe(folded(anchor.exact));
      if (isWhole && count(now, windowOf(texts, place)) === 1) expect(found).toEqual(expected);
    });
  });

  it('is never found at other words, nor without the text around it', () => {
    forAll(600, (random) => {
      const texts = book(random);
      const anchor = anchorAt(texts, passage(random, texts));
      const now = random.chance(0.3) ? book(random) : texts.map((text) => edited(random, text));
      const found = find(anchor, now);
      if (!found) return;
      expect(hasWords(now, found, anchor.exact)).toBe(true);
      expect(folded(wordsAt(now, found))).toBe(folded(anchor.exact));
      const text = now[found.section] ?? '';
      const equal = (one: string, other: string) => {
        const [a, b] = [Array.from(folded(one)), Array.from(folded(other))];
        const at = a.findIndex((c, i) => c !== b[i]);
        return at < 0 ? a.length : at;
      };
      const backwards = (one: string) => Array.from(one).reverse().join('');
      const before = equal(backwards(anchor.prefix), backwards(charsOf(text, 0, found.start)));
      const after = equal(anchor.suffix, charsOf(text, found.end, found.end + CONTEXT_CHARS));
      const [prefix, suffix] = [charsIn(anchor.prefix), charsIn(anchor.suffix)];
      const isAlone = charsIn(anchor.exact) >= LONE_QUOTE_CHARS && count(now, anchor.exact) === 1;
      expect(before === prefix || after === suffix || 2 * (before + after) >= prefix + suffix || isAlone).toBe(true);
    });
  });

  it('whose passage was removed is gone', () => {
    forAll(300, (random) => {
      const texts = book(random);
      const place = passage(random, texts);
      const anchor = anchorAt(texts, place);
      if (count(texts, anchor.exact) !== 1) return;
      const text = texts[place.section] ?? '';
      const now = texts.with(place.section, charsOf(text, 0, place.start) + charsOf(text, place.end, charsIn(text)));
      if (count(now, anchor.exact) === 0) expect(find(anchor, now)).toBeNull();
    });
  });

  it('found at a new place is found there again', () => {
    forAll(300, (random) => {
      const texts = book(random);
      const anchor = anchorAt(texts, passage(random, texts));
      const now = texts.map((text) => edited(random, text));
      const found = find(anchor, now);
      if (found) expect(find({ ...anchor, ...found }, now)).toEqual(found);
    });
  });

  it('of any texts is found within them or not at all', () => {
    const characters = ['a', 'b', ' ', '\n', '🌲', '🌳', 'e', '\u0301', '’', "'", '\u00a0'];
    forAll(1500, (random) => {
      const text = (most: number) => random.list(random.int(0, most), () => random.pick(characters)).join('');
      const texts = random.list(random.int(0, 3), () => text(40));
      const anchor = { section: random.pick([null, 0, 7]), start: random.int(0, 50), end: random.int(0, 50), exact: text(3), prefix: text(4), suffix: text(4) };
      const found = find(anchor, texts);
      if (!found) return;
      const length = charsIn(texts[found.section] ?? '');
      expect(found.start).toBeLessThanOrEqual(found.end);
      expect(found.end).toBeLessThanOrEqual(length);
    });
  });
});

describe('characters', () => {
  it('are those of Unicode', () => {
    expect(charsIn('A 🌲')).toBe(3);
    expect(charsOf('A 🌲 b', 2, 4)).toBe('🌲 ');
    expect(unitsAt('A 🌲 b', 3)).toBe(4);
    expect(unitsAt('abc', 9)).toBe(3);
  });

  it('stay as many when typographic marks become plain ones', () => {
    forAll(200, (random) => {
      const text = random.list(20, () => random.pick(['“', '”', '‘', '’', '—', '–', '\u00a0', '…', 'a', '🌲', '′', '″', '−'])).join('');
      expect(folded(text)).toHaveLength(text.length);
      expect(folded(folded(text))).toBe(folded(text));
    });
    expect(folded('“It’s” – so\u00a0far… 5′3″')).toBe('"It\'s" - so far… 5\'3"');
  });
});
