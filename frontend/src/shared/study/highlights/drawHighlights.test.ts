import { beforeEach, describe, expect, it } from 'vitest';
import { splitSections } from '@/lib/sections';
import { raiseHeadings } from '@/shared/reader/position';
import { charsIn, charsOf } from '@/shared/study/chars';
import { COLORS } from '@/shared/study/colors';
import { drawCursor, drawHighlights, drawPopular, highlightsAt, marksOf } from '@/shared/study/highlights/drawHighlights';
import type { DrawnHighlight } from '@/shared/study/highlights/drawHighlights';
import { sectionTextOf } from '@/shared/study/sectionText';
import cases from '@/shared/study/section_texts.json';
import { forAll } from '@test/random';
import type { Random } from '@test/random';

const passage = (start: number, end: number, more: Partial<DrawnHighlight> = {}): DrawnHighlight => ({
  id: 7,
  start,
  end,
  color: 'honey',
  isChanged: false,
  hasNote: false,
  isNew: false,
  ...more,
});

let root: HTMLElement;
function show(html: string): HTMLElement {
  root = document.createElement('div');
  root.innerHTML = html;
  document.body.replaceChildren(root);
  return root;
}

/** The marks with their words and highlights. */
const drawn = () => [...root.querySelectorAll<HTMLElement>('mark[data-highlight]')].map((mark) => [mark.textContent, mark.dataset.highlight]);
const classes = () => [...root.querySelectorAll('mark')].map(({ className }) => className);

/** The sections of all the cases, as the reader shows them. */
const SECTIONS = cases.flatMap(({ html }) => splitSections(html).map((one) => raiseHeadings(one.html))).filter((html) => html !== '');

function passages(random: Random, length: number): DrawnHighlight[] {
  return random.list(random.int(0, 4), (id) => {
    const start = random.int(0, length);
    return passage(start, random.int(start, length), { id: id + 1, color: random.pick(COLORS), hasNote: random.chance(0.4), isChanged: random.chance(0.2) });
  });
}

describe('highlights', () => {
  beforeEach(() => show('<p>I went to the <em>woods</em> because</p><p>I wished to <a href="/x">live</a>.</p>'));

  it('are drawn around their words, and only these', () => {
    drawHighlights(root, [passage(2, 6)]);
    expect(root.innerHTML).toBe(
      '<p>I <mark class="highlight highlight--honey" data-highlight="7">went</mark> to the <em>woods</em> because</p><p>I wished to <a href="/x">live</a>.</p>',
    );
  });

  it('go through emphasis, links and paragraphs', () => {
    drawHighlights(root, [passage(10, 44)]);
    expect(drawn()).toEqual([
      ['the ', '7'],
      ['woods', '7'],
      [' because', '7'],
      ['I wished to ', '7'],
      ['live', '7'],
    ]);
    expect(root.querySelector('a')?.firstElementChild?.tagName).toBe('MARK');
    expect(marksOf(root, 7)).toHaveLength(5);
  });

  it('that overlap share the words, in the color of the last one', () => {
    drawHighlights(root, [passage(2, 10, { id: 1, color: 'sky' }), passage(7, 13, { id: 2, color: 'rose' })]);
    expect(drawn()).toEqual([
      ['went ', '1'],
      ['to ', '1 2'],
      ['the', '2'],
    ]);
    expect(classes()).toEqual(['highlight highlight--sky', 'highlight highlight--rose', 'highlight highlight--rose']);
    expect([marksOf(root, 1).length, marksOf(root, 2).length, marksOf(root, 12).length]).toEqual([2, 2, 0]);
    const [, both] = root.querySelectorAll('mark');
    expect(both && highlightsAt(both)).toEqual([2, 1]);
    expect(highlightsAt(root)).toEqual([]);
  });

  it('say once that there is a note, where they end', () => {
    drawHighlights(root, [passage(10, 23, { hasNote: true })]);
    expect(classes()).toEqual(['highlight highlight--honey', 'highlight highlight--honey', 'highlight highlight--honey highlight--noted']);
  });

  it('say that their words were edited, or that they are new', () => {
    drawHighlights(root, [passage(2, 6, { isChanged: true }), passage(7, 9, { isNew: true })]);
    expect(classes()).toEqual(['highlight highlight--honey highlight--changed', 'highlight highlight--honey highlight--new']);
  });

  it('replace those drawn before', () => {
    drawHighlights(root, [passage(2, 6)]);
    drawHighlights(root, [passage(4, 9, { id: 8 })]);
    expect(drawn()).toEqual([['nt to', '8']]);
  });

  it('have no words outside of the text', () => {
    const before = root.cloneNode(true);
    drawHighlights(root, [passage(5, 5), passage(900, 950)]);
    expect(root.isEqualNode(before)).toBe(true);
  });

  it('are removed with the last of them', () => {
    const before = root.cloneNode(true);
    drawHighlights(root, [passage(2, 40), passage(20, 30)]);
    drawHighlights(root, []);
    expect(root.isEqualNode(before)).toBe(true);
  });
});

describe('other layers', () => {
  it('are drawn and removed without the highlights', () => {
    show('<p>I went to the woods because I wished to live.</p>');
    const plain = root.cloneNode(true);
    drawHighlights(root, [passage(2, 13)]);
    const highlighted = root.cloneNode(true);
    drawPopular(root, [{ start: 7, end: 19, members: 12 }]);
    drawCursor(root, { start: 10, end: 27 });
    expect([...root.querySelectorAll('mark[data-popular]')].map((mark) => mark.textContent).join('')).toBe('to the woods');
    expect([...root.querySelectorAll('mark[data-cursor]')].map((mark) => mark.textContent).join('')).toBe('the woods because');
    expect(root.querySelector<HTMLElement>('mark[data-popular]')?.dataset.popular).toBe('12');
    drawPopular(root, []);
    drawCursor(root, null);
    expect(root.isEqualNode(highlighted)).toBe(true);
    drawHighlights(root, []);
    expect(root.isEqualNode(plain)).toBe(true);
  });
});

describe('in any text', () => {
  it('highlights have exactly their words, and leave text and positions as they were', () => {
    forAll(400, (random) => {
      show(random.pick(SECTIONS));
      const plain = root.cloneNode(true);
      const { text } = sectionTextOf(root);
      const list = passages(random, charsIn(text));
      if (random.chance(0.5)) drawPopular(root, [{ start: random.int(0, 9), end: random.int(10, 40), members: 10 }]);
      drawHighlights(root, list);
      expect(sectionTextOf(root).text).toBe(text);
      for (const { id, start, end } of list) {
        const words = marksOf(root, id).map((mark) => mark.textContent);
        expect(words.join('')).toBe(charsOf(text, start, end).replaceAll('\n', ''));
      }
      const once = root.cloneNode(true);
      drawHighlights(root, list);
      expect(root.isEqualNode(once)).toBe(true);
      drawHighlights(root, []);
      drawPopular(root, []);
      expect(root.isEqualNode(plain)).toBe(true);
    });
  });

  it('each mark has one color, and a note is shown once', () => {
    forAll(200, (random) => {
      show(random.pick(SECTIONS));
      const { text } = sectionTextOf(root);
      const list = passages(random, charsIn(text));
      drawHighlights(root, list);
      const noted = list.filter(({ id, hasNote }) => hasNote && marksOf(root, id).length > 0);
      const signs = new Set(noted.map(({ id }) => marksOf(root, id).at(-1)));
      expect([...root.querySelectorAll('.highlight--noted')].every((mark) => signs.has(mark as HTMLElement))).toBe(true);
      expect(root.querySelectorAll('.highlight--noted')).toHaveLength(signs.size);
      for (const mark of root.querySelectorAll('mark')) {
        const top = list.find(({ id }) => id === highlightsAt(mark)[0]);
        expect(mark.className).toContain(`highlight--${top?.color ?? ''}`);
        expect(mark.className.match(/highlight--(honey|leaf|sky|rose)/g)).toHaveLength(1);
      }
    });
  });
});
