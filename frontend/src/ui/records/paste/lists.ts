// Lists, as programs put them on the clipboard: nested by a level, or typed as paragraphs that begin with a bullet or a number.
import { created, isBlank, isElement, removeStart, styleOf, textOf, textsOf, unwrap } from '@/ui/records/paste/dom';

interface Item {
  /** Nesting: a greater number stands deeper. Only the order of the numbers counts. */
  level: number;
  tag: 'ul' | 'ol';
  /** Items with other names are of another list. */
  list: string;
  content: Iterable<Node>;
}

/** The lists of consecutive items, nested by their levels. */
function nest(document: Document, items: readonly Item[]): Element[] {
  const roots: Element[] = [];
  const open: { item: Item; list: Element }[] = [];
  for (const item of items) {
    const innermost = () => open.at(-1);
    while ((innermost()?.item.level ?? -Infinity) > item.level) open.pop();
    const same = innermost();
    if (same?.item.level === item.level && (same.item.tag !== item.tag || same.item.list !== item.list)) open.pop();
    let target = innermost();
    if (target?.item.level !== item.level) {
      const list = document.createElement(item.tag);
      const parent = target?.list.lastElementChild;
      if (parent) parent.append(list);
      else roots.push(list);
      target = { item, list };
      open.push(target);
    }
    target.list.append(created(document, 'li', item.content));
  }
  return roots;
}

/** Replaces elements that stand one after the other with the lists of their items. */
function replaceWithLists(elements: readonly Element[], items: readonly Item[]): void {
  const [first, ...others] = elements;
  if (!first) return;
  const { ownerDocument: document } = first;
  const place = document.createComment('');
  first.replaceWith(place);
  // Before their contents move: the elements may be parts of items.
  others.forEach((element) => element.remove());
  place.replaceWith(...nest(document, items));
}

/** An element and the siblings that follow it without text between, while `belongs` is true. */
function runFrom(first: Element, belongs: (element: Element) => boolean): Element[] {
  const run = [first];
  for (let next = first.nextSibling; next; next = next.nextSibling) {
    if (isElement(next) ? !belongs(next) : !isBlank(next.textContent ?? '')) break;
    if (isElement(next)) run.push(next);
  }
  return run;
}

const WORD_ITEM = /^l\d+ level(\d+) (lfo\d+)/;
const isWordItem = (element: Element) => element.localName === 'p' && WORD_ITEM.test(styleOf(element, 'mso-list'));
/** A paragraph of Word's that belongs to the item before it. */
const isContinuation = (element: Element) =>
  element.localName === 'p' && /^MsoListParagraph|^MsoListContinue/.test(element.className) && !WORD_MARK.test(element.textContent);

const markers = (element: Element) => [...element.querySelectorAll('[data-style]')].filter((inner) => styleOf(inner, 'mso-list') === 'ignore');

/** Word writes a list as paragraphs with a level, each with its bullet or number as text; Word for the web as a list for each item. */
export function convertWordLists(body: Element): void {
  for (const first of body.querySelectorAll('p')) {
    if (!first.isConnected || !isWordItem(first)) continue;
    const run = runFrom(first, (element) => isWordItem(element) || isContinuation(element));
    const items: (Item & { content: Node[] })[] = [];
    for (const element of run) {
      const [, level, list = ''] = WORD_ITEM.exec(styleOf(element, 'mso-list')) ?? [];
      if (level === undefined) {
        items.at(-1)?.content.push(element);
        continue;
      }
      const mark = markers(element).map(textOf).join('');
      markers(element).forEach((marker) => marker.remove());
      const tag = /\d|^\(?[a-z]{1,7}[.)]/i.test(mark) ? 'ol' : 'ul';
      items.push({ level: Number(level), tag, list, content: [created(element.ownerDocument, 'p', element.childNodes)] });
    }
    replaceWithLists(run, items);
  }
  // The numbers of numbered headings.
  markers(body).forEach((marker) => marker.remove());

  body.querySelectorAll('.ListContainerWrapper').forEach(unwrap);
  const isWebList = (element: Element) => element.querySelector(':scope > li[data-aria-level]') !== null;
  for (const first of body.querySelectorAll('ul, ol')) {
    if (!first.isConnected || !isWebList(first)) continue;
    const run = runFrom(first, isWebList);
    const items = run.flatMap((list) =>
      [...list.children].map((item) => ({
        level: Number(item.getAttribute('data-aria-level')),
        tag: list.localName === 'ol' ? ('ol' as const) : ('ul' as const),
        list: item.getAttribute('data-listid') ?? '',
        content: item.childNodes,
      })),
    );
    replaceWithLists(run, items);
  }
}

/** A list directly in a list belongs to the item before it; an item outside of a list gets one. */
export function repairNesting(body: Element): void {
  for (const list of body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')) {
    if (list.previousElementSibling?.localName === 'li') list.previousElementSibling.append(list);
    else unwrap(list);
  }
  for (const first of body.querySelectorAll('li')) {
    if (first.closest('ul, ol')) continue;
    const run = runFrom(first, (element) => element.localName === 'li');
    const list = first.ownerDocument.createElement('ul');
    first.before(list);
    list.append(...run);
  }
}

/** What a typed item begins with: a bullet, or a number. */
const TYPED_MARK = /^\s*(?:[•◦▪▫‣⁃●○■□❖➢✓✔\uf0b7\uf0a7]\s*|[·*–-]\s+|(\d{1,3})[.)]\s+)(?=\S)/u;
/** The same where Word says that the paragraph is an item. */
const WORD_MARK = /^\s*(?:[·•o§▪–\uf0b7\uf0a7-]\s+|(\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s+)(?=\S)/iu;

export const isTypedItem = (text: string): boolean => TYPED_MARK.test(text);

interface TypedItem extends Item {
  element: Element;
  /** The length of the mark in the text. */
  mark: number;
  /** The number of an `ol`'s item; null if any is right. */
  number: number | null;
  /** Whether one such paragraph is a list. */
  isCertain: boolean;
}

function typedItem(element: Element): TypedItem | null {
  if (element.localName !== 'p') return null;
  const text = textsOf(element)
    .map(({ data }) => data)
    .join('');
  const isCertain = element.className.startsWith('MsoListParagraph');
  const match = (isCertain ? WORD_MARK : TYPED_MARK).exec(text);
  if (!match) return null;
  const [{ length: mark }, number] = match;
  return {
    element,
    mark,
    isCertain,
    level: Number.parseFloat(element.getAttribute('data-indent') ?? styleOf(element, 'margin-left')) || 0,
    tag: number === undefined ? 'ul' : 'ol',
    list: '',
    number: number === undefined || isCertain ? null : Number(number),
    content: [element],
  };
}

/** Two or more paragraphs that begin with a bullet, or with numbers that count from 1, are a list. */
export function convertTypedLists(body: Element): void {
  for (const parent of [body, ...body.querySelectorAll('blockquote')]) {
    let run: TypedItem[] = [];
    /** The last number of each level in the run. */
    let numbers = new Map<number, number>();
    const finish = () => {
      if (run.length > 1 || run[0]?.isCertain) {
        for (const { element, mark } of run) removeStart(element, mark);
        replaceWithLists(
          run.map(({ element }) => element),
          run,
        );
      }
      run = [];
      numbers = new Map();
    };
    for (const child of [...parent.childNodes]) {
      const item = isElement(child) ? typedItem(child) : null;
      if (!item) {
        if (isElement(child) || !isBlank(child.textContent ?? '')) finish();
        continue;
      }
      // Bullets that follow a number at the same margin belong to it.
      if (item.tag === 'ul' && numbers.has(item.level)) item.level += 0.5;
      for (const level of numbers.keys()) if (level > item.level) numbers.delete(level);
      const expected = (numbers.get(item.level) ?? 0) + 1;
      if (item.number !== null && item.number !== expected) finish();
      if (item.number !== null && item.number !== 1 && run.length === 0) continue;
      if (item.number !== null) numbers.set(item.level, item.number);
      run.push(item);
    }
    finish();
  }
}
