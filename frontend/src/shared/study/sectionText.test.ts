import { describe, expect, it } from 'vitest';
import { splitSections } from '@/lib/sections';
import { raiseHeadings } from '@/shared/reader/position';
import { charsIn, charsOf } from '@/shared/study/chars';
import type { Piece } from '@/shared/study/sectionText';
import { offsetsOf, rangeOf, sectionTextOf } from '@/shared/study/sectionText';
import cases from '@/shared/study/section_texts.json';
import { forAll } from '@test/random';

function show(html: string): HTMLElement {
  const root = document.createElement('div');
  root.innerHTML = html;
  document.body.replaceChildren(root);
  return root;
}

/** The texts of a body's sections, as the reader shows them. */
const textsOf = (body: string) => splitSections(body).map(({ html }) => sectionTextOf(show(raiseHeadings(html))).text);

const rangeAt = (startNode: Node, startOffset: number, endNode: Node, endOffset: number): Range => {
  const range = document.createRange();
  range.setStart(startNode, startOffset);
  range.setEnd(endNode, endOffset);
  return range;
};

/** The words between two positions, by way of the page. */
const wordsAt = (pieces: readonly Piece[], start: number, end: number) => rangeOf(pieces, start, end)?.toString();

describe('the text of a section', () => {
  it.each(cases)('is the server’s: $name', ({ html, sections }) => {
    expect(textsOf(html)).toEqual(sections.map(({ text }) => text));
  });

  it('has none of the buttons in it, nor of what is marked', () => {
    const root = show('<p>One<button>1</button> and<sup data-no-text>2</sup> two.</p>');
    expect(sectionTextOf(root).text).toBe('One and two.');
    expect(sectionTextOf(root).pieces.map(({ from, to }) => [from, to])).toEqual([
      [0, 3],
      [3, 7],
      [7, 12],
    ]);
  });

  it('is the same when passages are drawn in it', () => {
    expect(sectionTextOf(show('<p>One <mark>two</mark> three.</p><p><mark>Four.</mark></p>')).text).toBe('One two three.\nFour.');
  });
});

describe('a range of the page', () => {
  const root = () => show('<p>A 🌲 <em>and 👩‍🌾</em>.</p><p>Second<br>line.</p>');

  it('holds the characters between two positions', () => {
    const { text, pieces } = sectionTextOf(root());
    expect(text).toBe('A 🌲 and 👩‍🌾.\nSecond\nline.');
    expect(wordsAt(pieces, 2, 3)).toBe('🌲');
    expect(wordsAt(pieces, 4, 11)).toBe('and 👩‍🌾');
    expect(wordsAt(pieces, 0, charsIn(text))).toBe('A 🌲 and 👩‍🌾.Secondline.');
  });

  it('begins and ends at words, not at the line break beside them', () => {
    const { pieces } = sectionTextOf(root());
    const range = rangeOf(pieces, 12, 20);
    expect(range?.startContainer.nodeValue).toBe('Second');
    expect(range?.toString()).toBe('Second');
    expect(range?.endContainer.nodeValue).toBe('Second');
  });

  it('is not there where no words are', () => {
    const { pieces } = sectionTextOf(root());
    expect(rangeOf(pieces, 12, 13)).toBeNull();
    expect(rangeOf(pieces, 5, 5)).toBeNull();
    expect(rangeOf(pieces, 100, 200)).toBeNull();
    expect(rangeOf([], 0, 1)).toBeNull();
  });

  it('gives back the positions it was made of', () => {
    forAll(300, (random) => {
      const sections = splitSections(random.pick(cases).html);
      const { text, pieces } = sectionTextOf(show(random.pick(sections).html));
      const length = charsIn(text);
      const start = random.int(0, length);
      const end = random.int(start, length);
      const words = charsOf(text, start, end);
      const range = rangeOf(pieces, start, end);
      if (words.replaceAll('\n', '') === '') {
        expect(range).toBeNull();
        return;
      }
      if (!range) throw new Error('No range.');
      expect(range.toString()).toBe(words.replaceAll('\n', ''));
      const found = offsetsOf(pieces, range);
      // Line breaks at the ends are not part of a range of the page.
      const lead = words.length - words.replace(/^\n+/, '').length;
      const trail = words.length - words.replace(/\n+$/, '').length;
      expect(found).toEqual({ start: start + lead, end: end - trail });
    });
  });
});

describe('positions of a selection', () => {
  it('count characters within text nodes', () => {
    const root = show('<p>A 🌲 tree</p>');
    const node = root.querySelector('p')?.firstChild as Text;
    expect(offsetsOf(sectionTextOf(root).pieces, rangeAt(node, 5, node, 9))).toEqual({ start: 4, end: 8 });
  });

  it('are those of the text within, when the selection begins or ends at elements or beyond them', () => {
    const root = show('<h2>Title</h2><div id="text"><p>One</p><p>two</p></div><p>After</p>');
    const text = root.querySelector('#text') as HTMLElement;
    const { pieces } = sectionTextOf(text);
    expect(offsetsOf(pieces, rangeAt(root, 0, root, 3))).toEqual({ start: 0, end: 7 });
    expect(offsetsOf(pieces, rangeAt(text, 1, text, 2))).toEqual({ start: 4, end: 7 });
    const title = root.querySelector('h2')?.firstChild as Text;
    const second = text.lastElementChild?.firstChild as Text;
    expect(offsetsOf(pieces, rangeAt(title, 2, second, 1))).toEqual({ start: 0, end: 5 });
  });

  it('skip what is no text', () => {
    const root = show('<p>One<button>1</button> two</p>');
    const button = root.querySelector('button')?.firstChild as Text;
    const two = root.querySelector('p')?.lastChild as Text;
    const { pieces } = sectionTextOf(root);
    expect(offsetsOf(pieces, rangeAt(button, 0, two, 4))).toEqual({ start: 3, end: 7 });
    expect(offsetsOf(pieces, rangeAt(button, 0, button, 1))).toBeNull();
  });

  it('are not there for a selection elsewhere, or without words', () => {
    const root = show('<p id="a">One</p><p id="b">two</p>');
    const [a, b] = ['#a', '#b'].map((id) => root.querySelector(id) as HTMLElement) as [HTMLElement, HTMLElement];
    const { pieces } = sectionTextOf(a);
    expect(offsetsOf(pieces, rangeAt(b, 0, b, 1))).toBeNull();
    expect(offsetsOf(pieces, rangeAt(a, 0, a, 0))).toBeNull();
    expect(offsetsOf([], rangeAt(a, 0, a, 1))).toBeNull();
    const detached = document.createElement('p');
    detached.append('One');
    expect(offsetsOf(pieces, rangeAt(detached, 0, detached, 1))).toBeNull();
  });
});
