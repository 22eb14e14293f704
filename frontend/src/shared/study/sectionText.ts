// The text of a section in the page: the one that the server's anchors count in (study.highlight-anchor), built from the
// elements that show it. Blocks and line breaks are separated by one line break. Positions are in Unicode characters.
import { charsIn, unitsAt } from '@/shared/study/chars';

/** A text node and its place in the section's text. */
export interface Piece {
  node: Text;
  from: number;
  to: number;
}

export interface SectionText {
  text: string;
  pieces: Piece[];
}

/** The elements that are a line of their own. */
const LINES = 'p, li, h2, h3, h4, blockquote';
/** What stands in the text and does not belong to it, such as citation numbers. */
const EXCLUDED = 'button, [data-no-text]';

/** The text below an element, with the place of each text node. */
export function sectionTextOf(root: Element): SectionText {
  const pieces: Piece[] = [];
  let text = '';
  let length = 0;
  let line: Element | null | undefined;
  const add = (part: string) => {
    text += part;
    length += charsIn(part);
  };
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && node.matches(EXCLUDED) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof HTMLBRElement) && !(node instanceof Text && node.data !== '')) continue;
    const own = node.parentElement?.closest(LINES) ?? null;
    if (line !== undefined && own !== line) add('\n');
    line = own;
    const from = length;
    if (node instanceof Text) {
      add(node.data);
      pieces.push({ node, from, to: length });
    } else add('\n');
  }
  return { text, pieces };
}

/** The range of the page from one position to another; null when no text stands there. */
export function rangeOf(pieces: readonly Piece[], start: number, end: number): Range | null {
  const first = pieces.find(({ to }) => to > start);
  const last = pieces.findLast(({ from }) => from < end);
  if (start >= end || !first || !last || first.from >= end || last.to <= start) return null;
  const range = document.createRange();
  range.setStart(first.node, unitsAt(first.node.data, Math.max(0, start - first.from)));
  range.setEnd(last.node, unitsAt(last.node.data, end - last.from));
  return range;
}

/** The positions of a range of the page; null when it has none of the text. */
export function offsetsOf(pieces: readonly Piece[], range: Range): { start: number; end: number } | null {
  const [piece] = pieces;
  if (!piece || piece.node.getRootNode() !== range.commonAncestorContainer.getRootNode()) return null;
  const startPiece = pieces.find(({ node }) => range.startContainer === node || range.comparePoint(node, 0) >= 0);
  const endPiece = pieces.findLast(({ node }) => range.endContainer === node || range.comparePoint(node, node.length) <= 0);
  if (!startPiece || !endPiece) return null;
  const start = startPiece.from + (range.startContainer === startPiece.node ? charsIn(startPiece.node.data.slice(0, range.startOffset)) : 0);
  const end = range.endContainer === endPiece.node ? endPiece.from + charsIn(endPiece.node.data.slice(0, range.endOffset)) : endPiece.to;
  return start < end ? { start, end } : null;
}

/** The text of a section's HTML, as the page shows it. */
export function textOfHtml(html: string): string {
  const template = document.createElement('template');
  template.innerHTML = html;
  const holder = document.createElement('div');
  holder.append(template.content);
  return sectionTextOf(holder).text;
}
