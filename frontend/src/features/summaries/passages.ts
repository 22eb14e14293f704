// The passages of the source that a key idea is based on: pure functions of offsets into the source.
import type { Paragraph } from '@/features/summaries/queries';
import { positionInSource, sourceText } from '@/shared/study/sourceText';

export interface Passage {
  start: number;
  end: number;
}

/** The text of a passage, on one line. */
export function wordsOf(paragraphs: readonly Paragraph[], { start, end }: Passage): string {
  const parts = paragraphs
    .filter((one) => one.start < end && one.start + one.text.length > start)
    .map((one) => one.text.slice(Math.max(0, start - one.start), end - one.start));
  return oneLine(parts.join(' '));
}

const oneLine = (text: string): string => text.split(/\s+/).filter(Boolean).join(' ');

export interface Piece {
  text: string;
  /** The index of the passage that this piece quotes word for word; null when it quotes none. */
  passage: number | null;
}

/**
 * An idea's text, split where it quotes its passages word for word, and the passages that it paraphrases. Both in the
 * passages' order.
 */
export function citedText(idea: { text: string; passages: readonly Passage[] }, paragraphs: readonly Paragraph[]): { pieces: Piece[]; rest: number[] } {
  const pieces: Piece[] = [];
  const rest: number[] = [];
  let from = 0;
  idea.passages.forEach((passage, index) => {
    const words = wordsOf(paragraphs, passage);
    const at = words === '' ? -1 : idea.text.indexOf(words, from);
    if (at < 0) {
      rest.push(index);
      return;
    }
    if (at > from) pieces.push({ text: idea.text.slice(from, at), passage: null });
    pieces.push({ text: words, passage: index });
    from = at + words.length;
  });
  if (from < idea.text.length) pieces.push({ text: idea.text.slice(from), passage: null });
  return { pieces, rest };
}

/** The quotations that are not already in the idea's own text. */
export const quotationsOf = (idea: { text: string; quotations: readonly Passage[] }, paragraphs: readonly Paragraph[]): string[] =>
  idea.quotations.map((quotation) => wordsOf(paragraphs, quotation)).filter((words) => words !== '' && !idea.text.includes(words));

export interface Segment {
  text: string;
  /** The index of the passage that it belongs to; null: to none. */
  passage: number | null;
}

/** A paragraph of the source, split at the passages. Where passages overlap, the earlier one gets the text. */
export function segmentsOf(paragraph: Paragraph, passages: readonly Passage[]): Segment[] {
  const segments: Segment[] = [];
  const { start, text } = paragraph;
  let from = 0;
  const inOrder = passages.map((passage, index) => ({ ...passage, index })).sort((a, b) => a.start - b.start);
  for (const passage of inOrder) {
    const begin = Math.max(from, passage.start - start);
    const end = Math.min(text.length, passage.end - start);
    if (begin >= end) continue;
    if (begin > from) segments.push({ text: text.slice(from, begin), passage: null });
    segments.push({ text: text.slice(begin, end), passage: passage.index });
    from = end;
  }
  if (from < text.length) segments.push({ text: text.slice(from), passage: null });
  return segments;
}

/** A paragraph as the page shows it, split at the passages: without extra white space, as highlights count in it. */
export function shownSegments(paragraph: Paragraph, passages: readonly Passage[]): Segment[] {
  const { start, text } = paragraph;
  const moved = (at: number) => positionInSource(text, at - start);
  const inText = passages.map((passage) => ({ start: moved(passage.start), end: moved(passage.end) }));
  return segmentsOf({ ...paragraph, start: 0, text: sourceText(text) }, inText);
}

/** The index of the last paragraph that starts at or before an offset; 0 when there is none. */
export function paragraphAt(paragraphs: readonly Paragraph[], offset: number): number {
  const after = paragraphs.findIndex((one) => one.start > offset);
  return Math.max(0, after < 0 ? paragraphs.length - 1 : after - 1);
}

/** The HTML language tag of a three-letter code: 'eng' → 'en'; undefined for an unknown code. */
export function languageTag(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  try {
    return Intl.getCanonicalLocales(code)[0];
  } catch {
    return undefined;
  }
}
