// Samples of what a member keeps.
import type { ResultOf } from '@/api/types';
import type { Commitment } from '@/shared/study/commitments/commitment';
import type { ListBook, ReadingList } from '@/shared/study/lists/list';
import type { CardAnswer, Highlight, ReviewCard } from '@/shared/study/records';
import type { StudySettings } from '@/shared/study/settings';
import type { StudyRecord } from '@/shared/study/studyStorage';
import type { StudySnapshot } from '@/shared/study/studyStore';

export const sampleHighlight = (more: Partial<Highlight> = {}): Highlight => ({
  id: 7,
  bookId: 12,
  subid: 'walden',
  summaryId: null,
  title: 'Walden',
  author: 'Henry David Thoreau',
  hue: 150,
  part: 'text',
  anchor: { section: 0, start: 14, end: 19, exact: 'woods', prefix: 'I went to the ', suffix: ' because I wished to live deliber' },
  heard: null,
  place: { state: 'same', section: 0, start: 14, end: 19, text: null },
  color: { value: 'honey', at: 1 },
  note: { value: '', at: 1 },
  tags: [],
  createdAt: 1,
  deletedAt: null,
  version: 1,
  ...more,
});

export const sampleCard = (more: Partial<ReviewCard> = {}): ReviewCard => ({
  id: 9,
  kind: 'own',
  bookId: 12,
  subid: 'walden',
  summaryId: null,
  title: 'Walden',
  author: 'Henry David Thoreau',
  highlightId: null,
  section: null,
  ideaTitle: '',
  opening: '',
  content: { value: { question: 'Why to the woods?', answer: 'To live deliberately.', blanks: [] }, at: 1 },
  paused: { value: false, at: 1 },
  createdAt: 1,
  deletedAt: null,
  schedule: null,
  version: 1,
  ...more,
});

/** A member's settings, as they are at first. */
export const sampleStudySettings = (more: Partial<StudySettings> = {}): StudySettings => ({
  hasHighlights: true,
  countsInPopular: true,
  showsPopular: true,
  dailyMax: 20,
  countsForStreak: true,
  reminder: 'off',
  digest: 'off',
  noticeHour: 8,
  asksCommitments: true,
  ...more,
});

export const sampleCommitment = (more: Partial<Commitment> = {}): Commitment => ({
  id: 5,
  bookId: 12,
  subid: 'walden',
  title: 'Walden',
  author: 'Henry David Thoreau',
  text: { value: 'Own less.', at: 1 },
  outcome: { value: 'open', at: 1 },
  answeredDay: null,
  createdAt: 1,
  deletedAt: null,
  version: 1,
  ...more,
});

export const sampleListBook = (more: Partial<ListBook> = {}): ListBook => ({
  bookId: 12,
  subid: 'walden',
  title: 'Walden',
  author: 'Henry David Thoreau',
  image: null,
  hue: 150,
  rank: 'a0',
  at: 1,
  ...more,
});

export const sampleReadingList = (more: Partial<ReadingList> = {}): ReadingList => ({
  id: 6,
  name: { value: 'Simple living', at: 1 },
  note: { value: '', at: 0 },
  books: [sampleListBook()],
  createdAt: 1,
  deletedAt: null,
  sharing: 'private',
  slug: null,
  teamListId: null,
  isTakenDown: false,
  version: 1,
  ...more,
});

type Changes = ResultOf<'GET /api/study/changes'>;

/** A part of the change feed: at first nothing. */
export const sampleChanges = (more: Partial<Changes> = {}): Changes => ({
  highlights: [],
  cards: [],
  commitments: [],
  lists: [],
  next: null,
  version: 0,
  ...more,
});

const recordOf = <S extends { id: number }>(state: S): StudyRecord<S> => ({
  member: 7,
  id: state.id,
  state,
  rev: 0,
  sentRev: 0,
  refused: null,
  noteSentAt: null,
  overtaken: null,
});
/** Records of member 7, by id. */
export const recordsOf = <S extends { id: number }>(states: S[]) => new Map(states.map((state) => [state.id, recordOf(state)]));
/** What the store of member 7 shows. */
export const snapshotOf = (cards: ReviewCard[], answers: CardAnswer[] = [], highlights = [sampleHighlight()]): StudySnapshot => ({
  member: 7,
  isLoaded: true,
  highlights: recordsOf(highlights),
  cards: recordsOf(cards),
  commitments: new Map(),
  lists: new Map(),
  answers: new Map(answers.map((answer) => [answer.id, { ...answer, member: 7 }])),
  meta: null,
});
