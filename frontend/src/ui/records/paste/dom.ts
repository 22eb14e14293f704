// Small changes of a parsed document, and the styles of its elements. The styles stand in `data-style` (see paste.ts).

const BLOCKS =
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li ' +
  'main nav ol p pre search section summary table caption colgroup col thead tbody tfoot tr td th ul';
const BLOCK_TAGS = new Set(BLOCKS.split(' '));

export const isElement = (node: Node): node is Element => node.nodeType === 1;
export const isBlock = (node: Node): boolean => isElement(node) && BLOCK_TAGS.has(node.localName);
/** Whether any block stands in the element, at any depth. */
export const hasBlock = (element: Element): boolean => [...element.querySelectorAll('*')].some(isBlock);
/** Whether a text has nothing visible. */
export const isBlank = (text: string): boolean => text.trim() === '';
export const textOf = (node: Node): string => (node.textContent ?? '').replaceAll(/\s+/g, ' ').trim();

/** Replaces an element with its children. */
export function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

/** Replaces an element with one of another tag that has its children. */
export function rename(element: Element, tag: string): void {
  element.replaceWith(created(element.ownerDocument, tag, element.childNodes));
}

/** Wraps an element's children in a new element. */
export function wrapChildren(element: Element, tag: string): void {
  element.append(created(element.ownerDocument, tag, element.childNodes));
}

/** A new element with the given children, which are moved. */
export function created(document: Document, tag: string, children: Iterable<Node | string>): Element {
  const element = document.createElement(tag);
  element.append(...children);
  return element;
}

/** The text nodes of an element, in document order. */
export function textsOf(root: Element): Text[] {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
}

/** Removes the first characters of an element's text. */
export function removeStart(element: Element, length: number): void {
  let left = length;
  for (const text of textsOf(element)) {
    const here = Math.min(left, text.data.length);
    text.data = text.data.slice(here);
    left -= here;
  }
}

/** The value of one property of an element's own style, in lower case; '' without it. */
export function styleOf(element: Element, property: string): string {
  let value = '';
  for (const declaration of (element.getAttribute('data-style') ?? '').split(';')) {
    const colon = declaration.indexOf(':');
    // The whole name: Word also writes `mso-bidi-font-weight`, which says nothing about Latin text.
    if (declaration.slice(0, colon).trim().toLowerCase() === property)
      value = declaration
        .slice(colon + 1)
        .trim()
        .toLowerCase();
  }
  return value;
}

export const isBold = (element: Element): boolean => /^(bold|bolder|[6-9]00)$/.test(styleOf(element, 'font-weight'));
export const isNotBold = (element: Element): boolean => /^(normal|lighter|[1-5]00)$/.test(styleOf(element, 'font-weight'));
export const isItalic = (element: Element): boolean => /^(italic|oblique)/.test(styleOf(element, 'font-style'));
