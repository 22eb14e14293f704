// The texts that have highlights: a book's sections and the ideas of an own summary.
import type { Book } from '@/api/types';
import type { BookSection } from '@/lib/sections';

/** An own summary, as far as its highlights need it. */
export interface HighlightedSummary {
  id: number;
  title: string;
}

export type HighlightedText =
  | { book: Book; sections: readonly BookSection[] }
  | { summary: HighlightedSummary; ideas: readonly { title: string; text: string }[] };

/** The element that shows the text of a section: in an own summary without the quotations below it. */
export const textIn = (reader: HTMLElement | null): HTMLElement | null =>
  reader?.querySelector<HTMLElement>('.idea__text') ?? reader?.querySelector<HTMLElement>('.reader__text') ?? null;
