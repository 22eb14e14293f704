// Draws passages into a text that React does not manage, as `mark` elements around its text nodes. A link stays a link, and what
// is drawn first does not move what is drawn later: the section's text and its positions stay the same.
import type { HighlightColor } from '@/shared/study/colors';
import { unitsAt } from '@/shared/study/chars';
import { sectionTextOf } from '@/shared/study/sectionText';

/** A range of characters of the section's text. */
export interface Passage {
  start: number;
  end: number;
}

export interface DrawnHighlight extends Passage {
  id: number;
  color: HighlightColor;
  /** Its words were edited. */
  isChanged: boolean;
  hasNote: boolean;
  /** It has just been added: it fades in. */
  isNew: boolean;
}

/** The layers of marks, by the attribute that each has. Each is removed and drawn without the others. */
type Layer = 'data-highlight' | 'data-popular' | 'data-cursor';

/** Removes a layer: the text is as it was before. */
function removeLayer(root: Element, layer: Layer): void {
  const parents = new Set<Node>();
  for (const mark of root.querySelectorAll(`mark[${layer}]`)) {
    if (mark.parentNode) parents.add(mark.parentNode);
    mark.replaceWith(...mark.childNodes);
  }
  for (const parent of parents) parent.normalize();
}

/** Draws passages: a text that several of them cover gets one mark. `dress` is called for each mark with those that cover it. */
function drawLayer<P extends Passage>(root: Element, layer: Layer, passages: readonly P[], dress: (mark: HTMLElement, covering: readonly P[]) => void): void {
  removeLayer(root, layer);
  if (passages.length === 0) return;
  const bounds = [...new Set(passages.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  for (const { node, from, to } of sectionTextOf(root).pieces) {
    const { data } = node;
    const cuts = [from, ...bounds.filter((at) => at > from && at < to), to];
    // From the end, so that what is left of the node keeps its positions.
    for (const [at, start] of [...cuts.slice(0, -1).entries()].reverse()) {
      const piece = { start, end: cuts[at + 1] ?? to };
      const rest = start > from ? node.splitText(unitsAt(data, start - from)) : node;
      const covering = passages.filter((one) => one.start <= piece.start && one.end >= piece.end);
      if (covering.length === 0) continue;
      const mark = document.createElement('mark');
      dress(mark, covering);
      rest.replaceWith(mark);
      mark.append(rest);
    }
  }
  // Where no mark stands between them, the parts of a cut text are one again.
  root.normalize();
}

/**
 * Draws the highlights of a section in place of those drawn before. Where several overlap, the last of the list is on top: its
 * color is the one that is seen.
 */
export function drawHighlights(root: Element, highlights: readonly DrawnHighlight[]): void {
  drawLayer(root, 'data-highlight', highlights, (mark, covering) => {
    const top = covering.at(-1);
    const variants = [top?.color, top?.isChanged && 'changed', top?.isNew && 'new'].filter(Boolean);
    mark.className = ['highlight', ...variants.map((variant) => `highlight--${String(variant)}`)].join(' ');
    mark.dataset.highlight = covering.map(({ id }) => id).join(' ');
  });
  // The sign of a note stands once, where the passage ends.
  for (const { id, hasNote } of highlights) if (hasNote) marksOf(root, id).at(-1)?.classList.add('highlight--noted');
}

/** Draws the passages that many members have highlighted (study.popular-passages). */
export function drawPopular(root: Element, passages: readonly (Passage & { members: number })[]): void {
  drawLayer(root, 'data-popular', passages, (mark, covering) => {
    mark.className = 'popular';
    mark.dataset.popular = String(Math.max(...covering.map(({ members }) => members)));
  });
}

/** Draws the sentences that are picked by key (study.key-selection); null: none. */
export function drawCursor(root: Element, passage: Passage | null): void {
  drawLayer(root, 'data-cursor', passage ? [passage] : [], (mark) => {
    mark.className = 'highlight-cursor';
    mark.dataset.cursor = '';
  });
}

/** The marks of a highlight, in the order of the text. */
export const marksOf = (root: Element, id: number): HTMLElement[] => [...root.querySelectorAll<HTMLElement>(`mark[data-highlight~="${id}"]`)];

/** The highlights at an element of the text, the one on top first. */
export function highlightsAt(element: Element): number[] {
  const ids = element.closest<HTMLElement>('mark[data-highlight]')?.dataset.highlight;
  return ids === undefined ? [] : ids.split(' ').map(Number).reverse();
}
