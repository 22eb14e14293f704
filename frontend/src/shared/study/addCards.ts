// New review cards (study.review-cards). A card that is made here has a schedule of its first day, so
// that it can be reviewed at once and offline; the server's takes its place.
import { serverNow } from '@/api/clock';
import type { Book } from '@/api/types';
import { splitSections } from '@/lib/sections';
import { nextMoment } from '@/shared/positions/places';
import { charsIn, charsOf } from '@/shared/study/chars';
import { saveCards } from '@/shared/study/cardChanges';
import { FIRST_INTERVALS, questionOfIdea } from '@/shared/study/cardQuestions';
import { dayOf, deviceZone } from '@/shared/study/days';
import { sentencesOf } from '@/shared/study/highlights/sentences';
import { idOfHighlight, idOfIdea, newId } from '@/shared/study/ids';
import { isCardShown } from '@/shared/study/records';
import type { Blank, CardContent, CardSchedule, Highlight, ReviewCard } from '@/shared/study/records';
import { textOfHtml } from '@/shared/study/sectionText';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';

/** Limits of own cards, and of an idea's answer, in characters (study.card-questions). */
export const QUESTION_MAX_CHARS = 500;
export const ANSWER_MAX_CHARS = 2_000;
const ANSWER_EXCERPT_CHARS = 280;
/** By how many characters of its beginning an idea is found again after its title has changed. */
const OPENING_CHARS = 64;

/** The answer of an idea: its first sentences, up to the limit; of a longer first sentence whole words and an ellipsis. */
export function answerOfIdea(text: string): string {
  const sentences = sentencesOf(text);
  const [first] = sentences;
  if (!first) return '';
  const last = sentences.filter(({ end }) => end - first.start <= ANSWER_EXCERPT_CHARS).at(-1);
  if (last) return charsOf(text, first.start, last.end);
  // One character is the ellipsis.
  const most = charsOf(text, first.start, first.start + ANSWER_EXCERPT_CHARS);
  const words = /^(.*)\s/s.exec(most)?.[1] ?? charsOf(most, 0, ANSWER_EXCERPT_CHARS - 1);
  return `${words.replace(/[\s,;:–—-]+$/, '')}…`;
}

const scheduleOf = (question: string, answer: string, today: string): CardSchedule => ({
  question,
  answer,
  isLocked: false,
  state: 'ok',
  due: today,
  last: null,
  answers: 0,
  lapses: 0,
  next: FIRST_INTERVALS,
  isWaiting: false,
});

type Source = Pick<ReviewCard, 'bookId' | 'subid' | 'summaryId' | 'title' | 'author'>;

const NO_SOURCE: Source = { bookId: null, subid: null, summaryId: null, title: '', author: '' };
const NO_CONTENT: CardContent = { question: '', answer: '', blanks: [] };

interface Moment {
  at: number;
  /** The day of the member's calendar. */
  today: string;
}

const newCard = (id: number, kind: ReviewCard['kind'], source: Source, { at }: Moment): ReviewCard => ({
  id,
  kind,
  ...source,
  highlightId: null,
  section: null,
  ideaTitle: '',
  opening: '',
  content: { value: NO_CONTENT, at: 0 },
  // Set now: a card that was deleted before is there again.
  paused: { value: false, at },
  createdAt: at,
  deletedAt: null,
  schedule: null,
  version: null,
});

export type IdeasBook = Pick<Book, 'id' | 'subid' | 'title' | 'author' | 'body'>;

/** The cards of a book's key ideas, one for each titled section. */
export function cardsOfIdeas(book: IdeasBook, moment: Moment): ReviewCard[] {
  const source = { bookId: book.id, subid: book.subid, summaryId: null, title: book.title, author: book.author };
  const cards = new Map<number, ReviewCard>();
  for (const [section, { title, html }] of splitSections(book.body ?? '').entries()) {
    const id = idOfIdea(book.id, title);
    // A section without a title is no idea; of two with one title there is one card.
    if (title === '' || cards.has(id)) continue;
    const text = textOfHtml(html);
    const schedule = scheduleOf(questionOfIdea(title), answerOfIdea(text), moment.today);
    cards.set(id, { ...newCard(id, 'idea', source, moment), section, ideaTitle: title, opening: charsOf(text, 0, OPENING_CHARS), schedule });
  }
  return [...cards.values()];
}

/** The card of a highlight with hidden words. */
export function cardOfHighlight(highlight: Highlight, blanks: readonly Blank[], moment: Moment): ReviewCard {
  const { bookId, subid, summaryId, title, author, anchor } = highlight;
  const card = newCard(idOfHighlight(highlight.id), 'highlight', { bookId, subid, summaryId, title, author }, moment);
  const content = { value: { ...NO_CONTENT, blanks }, at: moment.at };
  return { ...card, highlightId: highlight.id, content, schedule: scheduleOf('', anchor?.exact ?? '', moment.today) };
}

/** A card of the member's own. */
export function ownCard(question: string, answer: string, moment: Moment): ReviewCard {
  const content = { value: { question, answer, blanks: [] }, at: moment.at };
  return { ...newCard(newId(), 'own', NO_SOURCE, moment), content, schedule: scheduleOf(question, answer, moment.today) };
}

/** Why an own card can't be stored, by field (study.card-questions); null when it can. */
export function ownCardError(question: string, answer: string): { field: 'question' | 'answer'; message: string } | null {
  if (question.trim() === '') return { field: 'question', message: 'Please write a question.' };
  if (answer.trim() === '') return { field: 'answer', message: 'Please write an answer.' };
  if (charsIn(question) > QUESTION_MAX_CHARS) return { field: 'question', message: 'Please keep the question to 500 characters.' };
  if (charsIn(answer) > ANSWER_MAX_CHARS) return { field: 'answer', message: 'Please keep the answer to 2,000 characters.' };
  return null;
}

/** Now; the server decides the day by the member's own zone. */
const now = (zone = deviceZone()): Moment => ({ at: nextMoment(), today: dayOf(serverNow(), zone) });

const isInReview = (id: number): boolean => {
  const known = studyStore.snapshot().cards.get(id)?.state;
  return known !== undefined && isCardShown(known);
};

/** Adds the cards of a book's key ideas that the member does not have; returns them. */
export async function addIdeas(member: number, book: IdeasBook): Promise<ReviewCard[]> {
  await studyStore.load(member);
  const cards = cardsOfIdeas(book, now()).filter(({ id }) => !isInReview(id));
  for (const card of cards) await studyStore.putCard(card);
  void syncStudy();
  return cards;
}

/** Takes back what `addIdeas` has added. */
export const removeIdeas = (cards: readonly ReviewCard[]): Promise<void> => saveCards([], cards);

/** Adds the card of a highlight, or changes which words it hides. */
export function addHighlightCard(highlight: Highlight, blanks: readonly Blank[]): Promise<void> {
  const known = studyStore.snapshot().cards.get(idOfHighlight(highlight.id))?.state;
  const moment = now();
  if (!known || !isCardShown(known)) return saveCards([cardOfHighlight(highlight, blanks, moment)]);
  return saveCards([{ ...known, content: { value: { ...NO_CONTENT, blanks }, at: moment.at } }]);
}

export const addOwnCard = (question: string, answer: string): Promise<void> => saveCards([ownCard(question, answer, now())]);

export const changeOwnCard = (card: ReviewCard, question: string, answer: string): Promise<void> =>
  saveCards([{ ...card, content: { value: { question, answer, blanks: [] }, at: nextMoment() } }]);
