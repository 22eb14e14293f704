// The texts that have highlights: a book's sections, the ideas of an own summary, and its source.
import type { Book } from '@/api/types';
import type { BookSection } from '@/lib/sections';

/** An own summary, as far as its highlights need it. */
export interface HighlightedSummary {
  id: number;
  title: string;
}

export type HighlightedText =
  | { book: Book; sections: readonly BookSection[] }
  | { summary: HighlightedSummary; ideas: readonly { title: string; text: string }[] }
  /** `source`: its paragraphs. Together they are one section. */
  | { summary: HighlightedSummary; source: readonly { text: string }[] };

/** The element that shows the text of a section: in an own summary without the quotations below it. */
export const textIn = (reader: HTMLElement | null): HTMLElement | null =>
  reader?.querySelector<HTMLElement>('.idea__text, .source-text__words') ?? reader?.querySelector<HTMLElement>('.reader__text') ?? null;
