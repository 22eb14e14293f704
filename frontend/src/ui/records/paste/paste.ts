// Text pasted from Word, Google Docs, mails, spreadsheets and the web, reduced to what the product keeps (catalogue.pasted-text).
// The editor drops unknown elements by itself; this converts what those programs express in other ways.
import { normalizeCharacters, shifted } from '@/ui/records/paste/characters';
import {
  created,
  hasBlock,
  isBlank,
  isBlock,
  isBold,
  isElement,
  isItalic,
  isNotBold,
  rename,
  styleOf,
  textOf,
  textsOf,
  unwrap,
  wrapChildren,
} from '@/ui/records/paste/dom';
import { convertTypedLists, convertWordLists, isTypedItem, repairNesting } from '@/ui/records/paste/lists';
import { convertTables } from '@/ui/records/paste/tables';

/** What the addresses of pictures within texts begin with (catalogue.text-pictures). */
export const PICTURES = '/media/pictures/';
/** The elements that an editor of the product writes. */
const KEPT = `h2, h3, h4, p, ul, ol, li, blockquote, strong, em, a, br, hr, cite, img[src^="${PICTURES}"]`;
const HEADINGS = 'h1, h2, h3, h4, h5, h6';

/** What is not a part of the text: programs, controls, the frame of a web page, Word's comments and tables of contents. */
const REMOVED =
  'script, style, meta, link, title, xml, iframe, object, embed, template, noscript, svg, math, canvas, audio, video, button, input, select, textarea, ' +
  'dialog, nav, body > header, body > footer, [hidden], [aria-hidden="true"], [role="navigation"], [role="search"], [role="banner"], ' +
  '[role="contentinfo"], del, .mw-editsection, .mw-cite-backlink, [role="doc-backlink"], .msocomoff, .MsoCommentReference, [class^="MsoToc"]';

const isHidden = (element: Element) =>
  styleOf(element, 'display') === 'none' || styleOf(element, 'mso-hide') === 'all' || /comment/.test(styleOf(element, 'mso-element'));

/** Parses HTML. Styles are read, never applied: the content security policy would report them. */
function parse(html: string): HTMLElement {
  const inert = html
    .replaceAll(/<style[\s\S]*?<\/style>/gi, '')
    .replaceAll(/<[a-z](?:"[^"]*"|'[^']*'|[^>"'])*>/gi, (tag) => tag.replaceAll(/\sstyle\s*=/gi, ' data-style='));
  return new DOMParser().parseFromString(inert, 'text/html').body;
}

function removeForeign(body: Element): void {
  const comments = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const found: Node[] = [];
  while (comments.nextNode()) found.push(comments.currentNode);
  found.forEach((comment) => comment.parentNode?.removeChild(comment));
  // Without its picture a caption means nothing.
  for (const figure of body.querySelectorAll('figure')) {
    if (figure.querySelector('img, svg, video, audio, canvas, iframe, object') && !figure.querySelector('table, blockquote, pre')) figure.remove();
  }
  body.querySelectorAll(REMOVED).forEach((element) => element.remove());
  for (const element of body.querySelectorAll('[data-style]')) if (isHidden(element)) element.remove();
  // Emoji that a mail program draws as pictures.
  for (const image of body.querySelectorAll('img')) image.replaceWith(/^\p{Extended_Pictographic}/u.test(image.alt) ? image.alt : '');
}

/**
 * The mark of a footnote is a link to a place in the page. It stays, as '[1]', while its note was pasted too; then so does the mark
 * that the note begins with. Links that only lead back or to a heading are removed.
 */
function convertNotes(body: Element): void {
  for (const span of body.querySelectorAll('span[data-style]')) {
    const place = styleOf(span, 'vertical-align').slice(0, 3);
    if (place === 'sup' || place === 'sub') rename(span, place);
  }
  for (const element of body.querySelectorAll('sup, sub')) {
    if (element.closest('a[href*="#"]') || element.querySelector('a[href*="#"]')) continue;
    const text = textOf(element);
    // '[2]' without a link is a mark whose note is elsewhere.
    if (/^\[.*\]$/.test(text)) element.remove();
    else element.replaceWith(shifted(text, element.localName === 'sup' ? 'sup' : 'sub') ?? text);
  }
  const targets = new Map(
    [...body.querySelectorAll('[id], [name]')].flatMap((element) => [element.id, element.getAttribute('name') ?? ''].map((id) => [id, element])),
  );
  for (const link of body.querySelectorAll('a[href*="#"]')) {
    const [page, target = ''] = (link.getAttribute('href') ?? '').split('#');
    const text = textOf(link);
    const [, bracketed, bare] = /^(?:\[([^\]]{1,12})\]|(\d{1,3}|[a-z*†‡]|[ivx]{1,5}))$/i.exec(text) ?? [];
    const isRaised = link.closest('sup') ?? link.querySelector('sup');
    const mark = bracketed ?? (page === '' || isRaised ? bare : undefined);
    if (/^(?:[#¶§^↑↩]\ufe0e?)?$/.test(text)) link.remove();
    else if (mark) {
      // A note begins with its mark.
      const isStart = textOf(link.closest('p, li') ?? body).startsWith(text);
      targets.get(target)?.closest('li')?.setAttribute('data-note', mark);
      link.replaceWith(targets.has(target) ? `[${mark}]${isStart ? ' ' : ''}` : '');
    }
  }
  // Notes that are a list would be counted from 1, whichever of them were pasted.
  for (const list of body.querySelectorAll('ol')) {
    if (!list.querySelector(':scope > li[data-note]')) continue;
    for (const note of list.querySelectorAll(':scope > li[data-note]')) {
      (note.querySelector(':scope > p') ?? note).prepend(`[${note.getAttribute('data-note') ?? ''}] `);
    }
    list.replaceWith(...[...list.children].map((note) => created(body.ownerDocument, 'div', note.childNodes)));
  }
}

/** Bold and italic, which several programs write as styles, and elements that have no place in the text. */
function convertInline(body: Element): void {
  for (const element of body.querySelectorAll('b, strong, em, i')) {
    const [only] = element.children;
    const isAll = only && textOf(only) === textOf(element);
    const isUndone = /^(b|strong)$/.test(element.localName) ? isNotBold : (styled: Element) => styleOf(styled, 'font-style') === 'normal';
    // Google Docs wraps everything that it copies in a <b> that is not bold; Word takes a style back in a span within.
    if (isUndone(element) || (isAll && isUndone(only))) unwrap(element);
  }
  for (const element of body.querySelectorAll('span, font')) {
    if (isBold(element)) wrapChildren(element, 'strong');
    if (isItalic(element)) wrapChildren(element, 'em');
  }
  for (const quotation of body.querySelectorAll('q')) quotation.replaceWith('“', ...quotation.childNodes, '”');
  for (const text of textsOf(body)) {
    const parent = text.parentElement;
    if (!parent || isBlank(text.data) || !text.data.includes('\n')) continue;
    if (parent.closest('pre') || styleOf(parent, 'white-space').startsWith('pre')) {
      text.replaceWith(...text.data.split('\n').flatMap((line, index) => (index === 0 ? [line] : [parent.ownerDocument.createElement('br'), line])));
    }
  }
  for (const element of body.querySelectorAll('*')) {
    if (isBlock(element)) continue;
    if (hasBlock(element) || !element.matches('a, b, strong, i, em, br, cite')) unwrap(element);
  }
}

/** Word's and Word for the web's own ways to write a heading. */
function nameHeadings(body: Element): void {
  body.querySelectorAll('p.MsoTitle').forEach((element) => rename(element, 'h1'));
  body.querySelectorAll('p[class^="MsoHeading"]').forEach((element) => rename(element, 'h6'));
  for (const element of body.querySelectorAll('p[role="heading"], div[role="heading"]')) {
    rename(element, `h${Math.min(Math.max(Number(element.getAttribute('aria-level')) || 2, 1), 6)}`);
  }
}

/** The lines of inline content, as paragraphs: two breaks end one, and so does each break between typed items. */
function paragraphs(document: Document, nodes: readonly Node[]): Element[] {
  const lines: Node[][] = [[]];
  for (const node of nodes) {
    if (isElement(node) && node.localName === 'br') lines.push([]);
    else lines.at(-1)?.push(node);
  }
  const text = (line: readonly Node[]) => line.map(({ textContent }) => textContent ?? '').join('');
  const isList = lines.filter((line) => isTypedItem(text(line))).length > 1;
  const groups: Node[][][] = [[]];
  for (const line of lines) {
    if (isBlank(text(line))) groups.push([]);
    else if (isList) groups.push([line]);
    else groups.at(-1)?.push(line);
  }
  return groups
    .filter((group) => group.length > 0)
    .map((group) =>
      created(
        document,
        'p',
        group.flatMap((line, index) => (index === 0 ? line : [document.createElement('br'), ...line])),
      ),
    );
}

/** Groups without a meaning of their own, such as `div`. */
const isGroup = (element: Element) =>
  isBlock(element) && !element.matches(`${HEADINGS}, p, ul, ol, li, blockquote, hr, table, caption, colgroup, col, thead, tbody, tfoot, tr, td, th`);

/** Text between blocks becomes paragraphs, and the groups are taken away. */
function convertParagraphs(body: Element): void {
  const document = body.ownerDocument;
  for (const container of [body, ...body.querySelectorAll('*')]) {
    const isCell = container.matches('li, td, th');
    if (container !== body && !isGroup(container) && !isCell && container.localName !== 'blockquote') continue;
    if (isCell && !hasBlock(container) && !container.querySelector(':scope > br')) continue;
    let run: ChildNode[] = [];
    for (const child of [...container.childNodes, null]) {
      if (child && !isBlock(child)) {
        run.push(child);
        continue;
      }
      run.forEach((node) => node.remove());
      for (const paragraph of paragraphs(document, run)) container.insertBefore(paragraph, child);
      run = [];
    }
  }
  for (const element of body.querySelectorAll('*')) if (isGroup(element)) unwrap(element);
  for (const paragraph of body.querySelectorAll('p')) {
    if (!paragraph.querySelector(':scope > br')) continue;
    const parts = paragraphs(document, [...paragraph.childNodes]);
    for (const part of parts) for (const { name, value } of paragraph.attributes) part.setAttribute(name, value);
    paragraph.replaceWith(...parts);
  }
}

/** Removes what has no text. */
function removeEmpty(body: Element): void {
  for (const element of [...body.querySelectorAll('*')].reverse()) {
    if (element.matches('hr, br') || textOf(element) !== '' || element.querySelector('hr')) continue;
    if (isBlock(element)) element.remove();
    else if (element.querySelector('br') === null) unwrap(element);
  }
  for (const text of textsOf(body)) if (isBlank(text.data) && text.parentElement?.matches('ul, ol, body')) text.remove();
  // An item that has only a list is no item.
  for (const item of body.querySelectorAll('li')) {
    const isList = [...item.childNodes].every((node) => (isElement(node) ? node.matches('ul, ol') : isBlank(node.textContent ?? '')));
    if (isList) item.replaceWith(...[...item.children].flatMap((list) => [...list.children]));
  }
}

/** Gives the headings the levels that the editor has: the highest becomes the first, and their order stays. */
function fitHeadings(body: Element, levels: readonly number[]): void {
  const levelOf = (heading: Element) => Number(heading.localName.slice(1));
  const headings = [...body.querySelectorAll(HEADINGS)];
  const used = [...new Set(headings.map(levelOf))].sort();
  for (const heading of headings) rename(heading, `h${levels[used.indexOf(levelOf(heading))] ?? levels.at(-1) ?? 4}`);
}

function cleanHeadings(body: Element): void {
  for (const heading of body.querySelectorAll(HEADINGS)) {
    heading.querySelectorAll('strong, b').forEach(unwrap);
    heading.querySelectorAll('br').forEach((br) => br.replaceWith(' '));
    if (!heading.closest('li, blockquote')) continue;
    // Only a heading outside of lists and quotations is one.
    wrapChildren(heading, 'strong');
    rename(heading, 'p');
  }
}

function cleanAttributes(body: Element): void {
  for (const link of body.querySelectorAll('a')) if (!/^(https?:\/\/|mailto:)./i.test(link.getAttribute('href')?.trim() ?? '')) unwrap(link);
  for (const element of body.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (name !== 'href') element.removeAttribute(name);
  }
}

/** Whether the HTML was copied from an editor of the product. */
const isOwn = (body: Element) => body.querySelector('[data-pm-slice]') !== null && [...body.querySelectorAll('*')].every((element) => element.matches(KEPT));

/**
 * Cleans pasted HTML. `levels` are the levels of headings that are allowed where it is pasted, the highest first. What was copied
 * from an editor of the product stays as it is, if its headings are allowed.
 */
export function cleanPastedHtml(html: string, levels: readonly number[]): string {
  const body = parse(html);
  if (isOwn(body)) {
    const isAllowed = [...body.querySelectorAll(HEADINGS)].every((heading) => levels.includes(Number(heading.localName.slice(1))));
    if (!isAllowed) fitHeadings(body, levels);
    return body.innerHTML;
  }
  removeForeign(body);
  nameHeadings(body);
  convertWordLists(body);
  convertNotes(body);
  convertInline(body);
  repairNesting(body);
  convertParagraphs(body);
  convertTables(body);
  convertTypedLists(body);
  normalizeCharacters(body);
  cleanHeadings(body);
  removeEmpty(body);
  fitHeadings(body, levels);
  cleanAttributes(body);
  return body.innerHTML;
}
