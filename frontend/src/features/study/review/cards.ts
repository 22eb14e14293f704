// What review cards ask and answer, with the highlights that they are about, and where they lead.
import { plural } from '@/lib/format';
import { paths } from '@/paths';
import { questionOfIdea } from '@/shared/study/cardQuestions';
import { clozeOf } from '@/shared/study/clozeParts';
import type { ClozePart } from '@/shared/study/clozeParts';
import { isShown } from '@/shared/study/records';
import type { Highlight, ReviewCard } from '@/shared/study/records';
import type { StudySnapshot } from '@/shared/study/studyStore';

type Highlights = StudySnapshot['highlights'];

/** The words of a card's highlight; null when the highlight is not on this device or was deleted. */
function highlightOf({ highlightId }: ReviewCard, highlights: Highlights): Highlight | null {
  const state = highlightId === null ? undefined : highlights.get(highlightId)?.state;
  return state && isShown(state) ? state : null;
}

/** What a card asks, and what it answers. */
export interface CardText {
  /** Of a highlight's card: its words, the hidden ones apart. */
  cloze: readonly ClozePart[] | null;
  question: string;
  answer: string;
}

export function textOf(card: ReviewCard, highlights: Highlights): CardText {
  const { kind, content, schedule, ideaTitle } = card;
  if (kind === 'own') return { cloze: null, question: content.value.question, answer: content.value.answer };
  if (kind === 'idea') {
    return { cloze: null, question: schedule?.question || questionOfIdea(ideaTitle), answer: schedule?.answer ?? '' };
  }
  const words = highlightOf(card, highlights)?.anchor?.exact;
  const cloze = words === undefined ? null : clozeOf(words, content.value.blanks);
  // In lists and names; the server writes it in the same way.
  const question = cloze ? cloze.map(({ text, isHidden }) => (isHidden ? '…' : text)).join('') : (schedule?.question ?? '');
  return { cloze, question, answer: words ?? schedule?.answer ?? '' };
}

/** Where a card's text is in the present summary: the server's section of an idea first, ideas may have moved. */
function sectionOf(card: ReviewCard, highlights: Highlights): number | null {
  if (card.kind === 'idea') return card.schedule?.section ?? card.section;
  const highlight = highlightOf(card, highlights);
  return highlight?.place?.section ?? highlight?.anchor?.section ?? null;
}

/** The member's highlights in the idea that a card asks for, in the order of the text (study.card-questions). */
export function highlightsInIdea(card: ReviewCard, highlights: Highlights): Highlight[] {
  const { kind, bookId } = card;
  const section = sectionOf(card, highlights);
  if (kind !== 'idea' || bookId === null || section === null) return [];
  return [...highlights.values()]
    .map(({ state }) => state)
    .filter((one) => isShown(one) && one.bookId === bookId && one.part === 'text' && one.anchor !== null)
    .filter(({ place, anchor }) => (place ? place.section : anchor?.section) === section)
    .sort((one, other) => (one.place?.start ?? one.anchor?.start ?? 0) - (other.place?.start ?? other.anchor?.start ?? 0));
}

/** Where the text of a card is opened; null where there is none. */
export function cardPath(card: ReviewCard, highlights: Highlights): string | null {
  const { subid, summaryId, schedule } = card;
  const section = sectionOf(card, highlights);
  if (summaryId !== null) return paths.aiSummary(summaryId);
  if (subid === null) return null;
  return section === null || schedule?.state === 'gone' ? paths.book(subid) : `${paths.book(subid)}?section=${section + 1}`;
}

/** An interval in words → 'today', '1 day', '5 weeks', '4 months', '2 years' */
export function intervalName(days: number): string {
  if (days === 0) return 'today';
  if (days < 14) return plural(days, 'day');
  if (days < 60) return plural(Math.round(days / 7), 'week');
  if (days < 700) return plural(Math.round(days / 30.4), 'month');
  return plural(Math.round(days / 365), 'year');
}

/** The highlight whose hidden words can be changed; null where this device does not have it. */
export function editableHighlight(card: ReviewCard, highlights: Highlights): Highlight | null {
  const highlight = highlightOf(card, highlights);
  return highlight?.anchor ? highlight : null;
}

/** Whether a card has something to edit: an idea has its text from the book. */
export const isEditable = (card: ReviewCard, highlights: Highlights): boolean => card.kind === 'own' || editableHighlight(card, highlights) !== null;
