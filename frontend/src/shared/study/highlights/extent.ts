import { countedSource } from '@/shared/study/countedSource';
import type { HighlightedText } from '@/shared/study/highlights/highlightedText';
import type { ParagraphRange } from '@/shared/study/highlights/Highlights';

/** The part of a section that is on the page, in characters. */
export interface Extent {
  start: number;
  end: number;
  /** The index of the paragraph that has a position. */
  paragraphAt: (position: number) => number;
}

/** The part of the section that is on the page: of a source some paragraphs, otherwise all of it. */
export function extentOf(text: HighlightedText, range: ParagraphRange | undefined): Extent {
  const starts = 'source' in text ? countedSource(text.source).starts : [];
  return {
    start: (range && starts[range.from]) ?? 0,
    // Without the line break before the next paragraph.
    end: ((range && starts[range.to]) ?? Infinity) - 1,
    paragraphAt: (position) =>
      Math.max(
        0,
        starts.findLastIndex((start) => start <= position),
      ),
  };
}
