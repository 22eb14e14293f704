// New highlights, as this device makes them.
import { anchorOf } from '@/shared/study/anchors';
import type { Anchor } from '@/shared/study/anchors';
import type { HighlightColor } from '@/shared/study/colors';
import type { Passage } from '@/shared/study/highlights/drawHighlights';
import type { HighlightedText } from '@/shared/study/highlights/highlightedText';
import { newId } from '@/shared/study/ids';
import type { Highlight, Part } from '@/shared/study/records';

/** What a highlight is from. */
export type Source = Pick<Highlight, 'bookId' | 'subid' | 'summaryId' | 'title' | 'author' | 'hue'>;

export function sourceOf(text: HighlightedText): Source {
  if ('summary' in text) return { bookId: null, subid: null, summaryId: text.summary.id, title: text.summary.title, author: '', hue: null };
  const { id, subid, title, author, categories } = text.book;
  return { bookId: id, subid, summaryId: null, title, author, hue: categories[0]?.hue ?? null };
}

/** The part of its source that a text is. */
export const partOf = (text: HighlightedText): Part => ('source' in text ? 'source' : 'text');

type New = Pick<Highlight, 'part' | 'anchor' | 'heard' | 'place'> & { color: HighlightColor; at: number };

/** A new highlight without a note or tags. */
export const newHighlight = (source: Source, { color, at, ...where }: New): Highlight => ({
  id: newId(),
  ...source,
  ...where,
  color: { value: color, at },
  note: { value: '', at: 0 },
  tags: [],
  createdAt: at,
  deletedAt: null,
  version: null,
});

interface Wanted {
  text: HighlightedText;
  /** The texts of the sections. */
  texts: readonly string[];
  section: number;
  passage: Passage;
  color: HighlightColor;
  at: number;
}

/** A highlight of a passage of the text; null when the passage is not in it. */
export function makeHighlight({ text, texts, section, passage, color, at }: Wanted): Highlight | null {
  const part = partOf(text);
  // A source has no sections.
  const anchor: Anchor | null = anchorOf(texts[section] ?? '', part === 'source' ? null : section, passage.start, passage.end);
  return anchor && newHighlight(sourceOf(text), { part, anchor, heard: null, place: { state: 'same', section, ...passage, text: null }, color, at });
}
