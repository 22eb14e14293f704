// Where a highlight and its source are opened.
import { paths } from '@/paths';
import type { Highlight } from '@/shared/study/records';

type Source = Pick<Highlight, 'bookId' | 'subid' | 'summaryId'>;

/** The page of a highlight's source; null when the source was deleted. */
export function sourcePath({ subid, summaryId }: Source): string | null {
  if (summaryId !== null) return paths.aiSummary(summaryId);
  return subid === null ? null : paths.book(subid);
}

export interface HighlightPlace {
  label: string;
  /** Null: there is nothing to open. */
  path: string | null;
}

/** The section of a highlight, as a label and a path; null when it is nowhere in the present text. */
export function placeOf(highlight: Highlight): HighlightPlace | null {
  const { id, place, anchor, part } = highlight;
  if (place?.state === 'gone') return null;
  const path = sourcePath(highlight);
  if (part === 'quote') return { label: 'Quote', path };
  if (part === 'source') return { label: 'Source', path: path && `${path}#source-highlight-${id}` };
  // The server's place first: ideas may have moved since.
  const section = place?.section ?? anchor?.section ?? null;
  if (section === null) return null;
  // The first section too is named: without one the reader opens where it was left.
  return { label: `Key idea ${section + 1}`, path: path && `${path}?section=${section + 1}#highlight-${id}` };
}
