import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import {
  addHighlightCard,
  addIdeas,
  answerOfIdea,
  cardOfHighlight,
  cardsOfIdeas,
  changeOwnCard,
  ownCard,
  ownCardError,
  removeIdeas,
} from '@/shared/study/addCards';
import { pauseCard, removeCard, restoreCard } from '@/shared/study/cardChanges';
import { questionOfIdea } from '@/shared/study/cardQuestions';
import { idOfHighlight, idOfIdea } from '@/shared/study/ids';
import { isCardShown } from '@/shared/study/records';
import { studyStore } from '@/shared/study/studyStore';
import { sampleHighlight } from '@test/study';

const ADA = 7;
const MOMENT = { at: 1_000, today: '2026-11-28' };
const BOOK = {
  id: 12,
  subid: 'walden',
  title: 'Walden',
  author: 'Henry David Thoreau',
  body: '<p>Before.</p><h3>Simplify, simplify</h3><p>Own <em>little</em>.</p><p>Each thing costs.</p><h3>Why a hut?</h3><p>It is enough.</p><h3>Simplify, simplify</h3><p>Again.</p>',
};

// Nothing is sent: no request is needed.
vi.mock('@/shared/study/studySync', () => ({ syncStudy: () => Promise.resolve() }));

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
  await studyStore.removeMember(ADA);
});
afterEach(() => {
  vi.unstubAllGlobals();
  session.end('left');
});

const stored = (id: number) => studyStore.snapshot().cards.get(id)?.state;
const shown = () => [...studyStore.snapshot().cards.values()].map(({ state }) => state).filter(isCardShown);

describe('the question of an idea (study.card-questions)', () => {
  // As crates/study/src/card.rs.
  it.each([
    ['Why does a hut cost so little?', 'Why does a hut cost so little?'],
    ['What is “enough?” ', 'What is “enough?”'],
    ['Simplify', 'What does “Simplify” mean?'],
    ['Live simply.', 'What does “Live simply” mean?'],
    ['And so on...', 'What does “And so on...” mean?'],
    ['The “cost” of a thing', 'What does “The ‘cost’ of a thing” mean?'],
  ])('of %j is %j', (title, question) => expect(questionOfIdea(title)).toBe(question));
});

describe('the answer of an idea', () => {
  it('is its first sentences, up to 280 characters', () => {
    expect(answerOfIdea('  One.\nTwo is here. ')).toBe('One.\nTwo is here.');
    const sentence = (chars: number) => `É${'é'.repeat(chars - 2)}.`;
    expect(answerOfIdea(`${sentence(139)} ${sentence(140)}`)).toBe(`${sentence(139)} ${sentence(140)}`);
    expect(answerOfIdea(`${sentence(140)} ${sentence(140)}`)).toBe(sentence(140));
    expect(answerOfIdea(' \n')).toBe('');
  });

  it('of a long first sentence ends with a whole word', () => {
    const answer = answerOfIdea(`One, ${'word '.repeat(60)} end`);
    expect(answer).toMatch(/^One, word word.*word…$/);
    expect(answer.length).toBeLessThanOrEqual(280);
    expect(answerOfIdea('é'.repeat(300))).toBe(`${'é'.repeat(279)}…`);
  });
});

describe('the cards of a book (study.review-cards)', () => {
  it('are one for each titled section, with the id of the idea', () => {
    const cards = cardsOfIdeas(BOOK, MOMENT);
    expect(cards.map(({ id, section, ideaTitle, opening }) => ({ id, section, ideaTitle, opening }))).toEqual([
      { id: idOfIdea(12, 'Simplify, simplify'), section: 1, ideaTitle: 'Simplify, simplify', opening: 'Own little.\nEach thing costs.' },
      { id: idOfIdea(12, 'Why a hut?'), section: 2, ideaTitle: 'Why a hut?', opening: 'It is enough.' },
    ]);
    expect(cards[0]).toMatchObject({ kind: 'idea', bookId: 12, subid: 'walden', title: 'Walden', createdAt: 1_000, version: null });
    expect(cards[0]?.schedule).toMatchObject({
      question: 'What does “Simplify, simplify” mean?',
      answer: 'Own little.\nEach thing costs.',
      due: '2026-11-28',
      next: [0, 1, 2, 8],
    });
  });

  it('are added once, taken back, and added again', async () => {
    const added = await addIdeas(ADA, BOOK);
    expect(added).toHaveLength(2);
    expect(await addIdeas(ADA, BOOK)).toEqual([]);
    await removeIdeas(added);
    expect(shown()).toEqual([]);
    expect(await addIdeas(ADA, BOOK)).toHaveLength(2);
    expect(shown()).toHaveLength(2);
  });
});

describe('the card of a highlight', () => {
  const highlight = sampleHighlight({ id: 5 });

  it('hides words, and has the id that follows from the highlight', () => {
    const card = cardOfHighlight(highlight, [{ start: 0, end: 5 }], MOMENT);
    expect(card).toMatchObject({
      id: idOfHighlight(5),
      kind: 'highlight',
      highlightId: 5,
      bookId: 12,
      content: { value: { blanks: [{ start: 0, end: 5 }] }, at: 1_000 },
    });
  });

  it('is there once: a second time changes what it hides', async () => {
    await studyStore.load(ADA);
    await addHighlightCard(highlight, [{ start: 0, end: 1 }]);
    const before = stored(idOfHighlight(5));
    if (!before) throw new Error('No card is stored.');
    await pauseCard(before, true);
    await addHighlightCard(highlight, [{ start: 2, end: 5 }]);
    expect(shown()).toHaveLength(1);
    expect(stored(idOfHighlight(5))).toMatchObject({
      createdAt: before.createdAt,
      paused: { value: true },
      content: { value: { blanks: [{ start: 2, end: 5 }] } },
    });
    // Deleted and added again it is no longer paused.
    await removeCard(before);
    await addHighlightCard(highlight, [{ start: 0, end: 1 }]);
    expect(stored(idOfHighlight(5))).toMatchObject({ paused: { value: false }, content: { value: { blanks: [{ start: 0, end: 1 }] } } });
  });
});

describe('a card of the member’s own', () => {
  it('needs a question and an answer within their limits', () => {
    expect(ownCardError(' \n', 'a')).toEqual({ field: 'question', message: 'Please write a question.' });
    expect(ownCardError('a', '')).toEqual({ field: 'answer', message: 'Please write an answer.' });
    expect(ownCardError('🐳'.repeat(500), '🐳'.repeat(2_000))).toBeNull();
    expect(ownCardError('a'.repeat(501), 'a')).toEqual({ field: 'question', message: 'Please keep the question to 500 characters.' });
    expect(ownCardError('a', 'a'.repeat(2_001))).toEqual({ field: 'answer', message: 'Please keep the answer to 2,000 characters.' });
  });

  it('is changed, deleted, and brought back with what it had', async () => {
    await studyStore.load(ADA);
    const card = ownCard('Why?', 'Because.', MOMENT);
    await studyStore.putCard(card);
    await changeOwnCard(card, 'Why so?', 'It is.');
    expect(stored(card.id)?.content.value).toEqual({ question: 'Why so?', answer: 'It is.', blanks: [] });
    await removeCard(card);
    expect(shown()).toEqual([]);
    await restoreCard(card);
    expect(shown().map(({ content }) => content.value.question)).toEqual(['Why so?']);
  });
});
