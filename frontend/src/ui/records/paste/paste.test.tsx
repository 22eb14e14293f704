import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fireEvent, render, screen } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import RichText from '@/ui/records/RichText';
import { cleanPastedHtml } from '@/ui/records/paste/paste';

/** What programs put on the clipboard, each beside what the editor makes of it, a tag of a block on each line. */
const CLIPBOARDS = path.join(import.meta.dirname, 'clipboards');
const recorded = (file: string) => readFileSync(path.join(CLIPBOARDS, file), 'utf8');
const names = readdirSync(CLIPBOARDS).filter((file) => !file.endsWith('.expected.html'));

const lines = (html: string) =>
  html
    .replaceAll(/<\/(?:p|h\d|ul|ol|li|blockquote)>|<(?:ul|ol|li|blockquote|hr)>/g, '$&\n')
    .trim()
    .split('\n');

/** The HTML that an editor gives its form after a paste into it. */
function pasted(type: 'text/html' | 'text/plain', data: string, { value = '', short = false } = {}): string {
  let html = '';
  const { unmount } = render(<RichText label="Body" name="body" value={value} short={short} onChange={(next) => (html = next)} />);
  fireEvent.paste(screen.getByRole('textbox', { name: 'Body' }), { clipboardData: { getData: (wanted: string) => (wanted === type ? data : ''), files: [] } });
  unmount();
  return html;
}

beforeAll(() => {
  // jsdom has no layout: the editor scrolls to what was pasted.
  const rectangle = new DOMRect();
  Object.assign(Range.prototype, { getBoundingClientRect: () => rectangle, getClientRects: () => [rectangle] });
});

describe('a recorded clipboard', () => {
  it.each(names)('%s becomes what the product keeps', (name) => {
    const type = name.endsWith('.txt') ? 'text/plain' : 'text/html';
    const html = pasted(type, recorded(name));
    expect(lines(html)).toEqual(lines(recorded(name.replace(/\.\w+$/, '.expected.html')).replaceAll('\n', '')));
  });

  it('has only elements and links that the server keeps, and stays as it is when it is cleaned again', () => {
    for (const name of names.filter((file) => file.endsWith('.html'))) {
      const html = cleanPastedHtml(recorded(name), [2, 3, 4]);
      expect(cleanPastedHtml(html, [2, 3, 4]), name).toBe(html);
      const { body } = new DOMParser().parseFromString(html, 'text/html');
      for (const element of body.querySelectorAll('*')) {
        expect(element.matches('h2, h3, h4, p, ul, ol, li, blockquote, em, i, strong, b, a[href], br, hr, cite'), `${name}: ${element.outerHTML}`).toBe(true);
        expect(element.getAttributeNames().filter((attribute) => attribute !== 'href')).toEqual([]);
      }
    }
  });
});

describe('pasted headings', () => {
  it.each([
    ['<h1>A</h1><h2>B</h2><h3>C</h3>', '<h3>A</h3><h4>B</h4><h4>C</h4>', '<h2>A</h2><h3>B</h3><h4>C</h4>'],
    ['<h2>A</h2><h2>B</h2>', '<h3>A</h3><h3>B</h3>', '<h2>A</h2><h2>B</h2>'],
    ['<h4>A</h4><h2>B</h2><h6>C</h6>', '<h4>A</h4><h3>B</h3><h4>C</h4>', '<h3>A</h3><h2>B</h2><h4>C</h4>'],
    ['<h1> </h1><h2><b>B</b></h2>', '<h3>B</h3>', '<h2>B</h2>'],
  ])('of %s begin at the highest level of the editor, in their order', (html, book, post) => {
    expect(cleanPastedHtml(html, [3, 4])).toBe(book);
    expect(cleanPastedHtml(html, [2, 3, 4])).toBe(post);
  });

  it('keep their level when they come from an editor of the product, unless it has none such', () => {
    const own = (level: number) => `<meta charset="utf-8"><h${level} data-pm-slice="1 1 []">A\u00a0 b</h${level}>`;
    expect(cleanPastedHtml(own(4), [3, 4])).toBe('<h4 data-pm-slice="1 1 []">A&nbsp; b</h4>');
    expect(cleanPastedHtml(own(2), [3, 4])).toContain('<h3');
    expect(cleanPastedHtml('<p data-pm-slice="0 0 []">- one</p><p>- two</p>', [3, 4])).toContain('- one');
    // Other programs have editors of the same make.
    expect(cleanPastedHtml('<h4 data-pm-slice="1 1 []">A</h4><div>b</div>', [3, 4])).toBe('<h3>A</h3><p>b</p>');
  });

  it('are of the lowest level within a list or a quotation', () => {
    expect(pasted('text/html', '<h1>One</h1><p>two</p>', { value: '<blockquote><p></p></blockquote>' })).toBe(
      '<blockquote><h4>One</h4><p>two</p></blockquote>',
    );
  });
});

describe('pasted text', () => {
  const cleaned = (html: string) => cleanPastedHtml(html, [3, 4]);

  it.each([
    ['1. One', '<p>1. One</p>'],
    ['2. Two|3. Three', '<p>2. Two</p><p>3. Three</p>'],
    ['1. One|2. Two|4. Four', '<ol><li><p>One</p></li><li><p>Two</p></li></ol><p>4. Four</p>'],
    ['1. One|- a|- b|2. Two', '<ol><li><p>One</p><ul><li><p>a</p></li><li><p>b</p></li></ul></li><li><p>Two</p></li></ol>'],
    ['- One|1) Two|2) Three', '<ul><li><p>One</p></li></ul><ol><li><p>Two</p></li><li><p>Three</p></li></ol>'],
    ['•One|•Two', '<ul><li><p>One</p></li><li><p>Two</p></li></ul>'],
    ['– One|text|– Two', '<p>– One</p><p>text</p><p>– Two</p>'],
    ['-5 degrees|-6 degrees', '<p>-5 degrees</p><p>-6 degrees</p>'],
  ])('typed as %s is a list only if nothing speaks against it', (text, html) => {
    expect(
      cleaned(
        text
          .split('|')
          .map((line) => `<p>${line}</p>`)
          .join('\n'),
      ).replaceAll('\n', ''),
    ).toBe(html);
  });

  it.each([
    ['10&nbsp;km, §&nbsp;5,&nbsp;and so&nbsp; on', '10&nbsp;km, §&nbsp;5, and so on'],
    ['«&nbsp;Oui&nbsp;!&nbsp;»', '«&nbsp;Oui&nbsp;!&nbsp;»'],
    ['“It’s” — ‘so’ … "plain"', '“It’s” — ‘so’ … "plain"'],
    ['ze\u200bro wi\u00addth\ufeff 👩\u200d🚀', 'zero width 👩\u200d🚀'],
    ['cafe\u0301', 'café'],
    ['E = mc<sup>2</sup>, CO<sub>2</sub>, 1<sup>st</sup>', 'E = mc², CO₂, 1st'],
  ])('%s has the characters that a reader sees', (text, html) => {
    expect(cleaned(`<p>${text}</p>`)).toBe(`<p>${html}</p>`);
  });

  it('links only to web pages and mail addresses', () => {
    for (const href of ['javascript:alert(1)', ' java&#10;script:alert(1)', 'data:text/html,x', 'file:///x', '/x', '//x.example', 'https:x', '#x']) {
      expect(cleaned(`<p>A <a href="${href}">link</a></p>`), href).toBe('<p>A link</p>');
    }
    expect(cleaned('<p><a href="HTTPS://x.example/" title="x">link</a></p>')).toBe('<p><a href="HTTPS://x.example/">link</a></p>');
  });

  it('has no mark of a footnote whose note was left behind', () => {
    expect(cleaned('<p>A<a href="#_ftn1">[1]</a> b<sup>[2]</sup> c<sup><a href="https://x.example/p#n3">3</a></sup>.</p>')).toBe('<p>A b c.</p>');
  });

  it('without formatting goes on in the text, and becomes a list only if it has one', () => {
    expect(pasted('text/plain', 'one\n\ntwo')).toBe('<p>one</p><p>two</p>');
    expect(pasted('text/plain', 'one', { value: '<p>And </p>' })).toContain('one');
    expect(pasted('text/plain', '* one\n* two')).toContain('<ul><li><p>one</p></li><li><p>two</p></li></ul>');
  });

  it('of a table is a row an item, with the name of each column', () => {
    const table = (rows: string[][]) => `<table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;
    expect(
      cleaned(
        table([
          ['a', 'b'],
          ['c', 'd'],
        ]),
      ),
    ).toBe('<ul><li><p>a: b</p></li><li><p>c: d</p></li></ul>');
    expect(
      cleaned(
        table([
          ['<b>K</b>', '<b>V</b>'],
          ['c', ''],
        ]),
      ),
    ).toBe('<ul><li><p>K: c</p></li></ul>');
    expect(
      cleaned(
        table([
          ['a', 'b', 'c'],
          ['d', '', 'f'],
        ]),
      ),
    ).toBe('<ul><li><p>a; b; c</p></li><li><p>d; f</p></li></ul>');
    expect(cleaned(table([['one cell'], ['<h1>below</h1>']]))).toBe('<p>one cell</p><h3>below</h3>');
    expect(cleaned('<table><tr><td colspan="1000" rowspan="60000">a</td></tr></table>')).toBe('<p>a</p>');
  });
});
