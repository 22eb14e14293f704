import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { ResultOf } from '@/api/types';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import type { Commitment } from '@/shared/study/commitments/commitment';
import type { ReadingList } from '@/shared/study/lists/list';
import { mergeCommitments, mergeHighlights, mergeLists } from '@/shared/study/merge';
import { isShown } from '@/shared/study/records';
import type { CardAnswer, Highlight, ReviewCard } from '@/shared/study/records';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';
import { sampleCard, sampleChanges, sampleCommitment, sampleHighlight, sampleReadingList, sampleListBook } from '@test/study';

const ADA = 7;

/** The server's highlights of Ada, by id. */
let stored: Map<number, Highlight>;
let version: number;
/** The ids that were sent, in order. */
let sent: number[];
/** The server's cards and answers of Ada, by id. */
let cards: Map<number, ReviewCard>;
let answers: Map<number, CardAnswer>;
/** The server's commitments of Ada, by id. */
let commitments: Map<number, Commitment>;
/** The server's lists of Ada, by id. */
let lists: Map<number, ReadingList>;
/** How many answers each call had. */
let answerCalls: number[];
/** Answers a call instead of storing it. */
let refuse: ((id: number) => Response | null) | null;

type Sent = ResultOf<'PUT /api/study/highlights/{id}'>['highlight'];

type SentCard = ResultOf<'PUT /api/study/cards/{id}'>['card'];
type SentCommitment = ResultOf<'PUT /api/study/commitments/{id}'>['commitment'];
type SentList = ResultOf<'PUT /api/study/lists/{id}'>['list'];

const schedule = (due: string) => ({
  question: 'Q',
  answer: 'A',
  isLocked: false,
  state: 'ok',
  section: null,
  due,
  last: null,
  answers: 0,
  lapses: 0,
  next: [0, 1, 2, 4],
  isWaiting: false,
});

function storeCard(card: ReviewCard, due: string): SentCard {
  version += 1;
  const stored = { ...card, schedule: schedule(due), version, editedAt: 0 };
  cards.set(card.id, stored as unknown as ReviewCard);
  return stored as unknown as SentCard;
}

function storeCommitment(commitment: Commitment): SentCommitment {
  const known = commitments.get(commitment.id);
  version += 1;
  const stored = { ...(known ? mergeCommitments(known, commitment) : commitment), version, editedAt: 0 };
  commitments.set(commitment.id, stored);
  return stored;
}

function storeList(list: ReadingList): SentList {
  const known = lists.get(list.id);
  version += 1;
  const { books, ...rest } = known ? mergeLists(known, list) : list;
  const stored = { ...rest, books: [...books], version, editedAt: 0 };
  lists.set(list.id, stored);
  return stored;
}

const wire = (highlight: Highlight): Sent => ({ ...highlight, editedAt: highlight.color.at }) as unknown as Sent;

function store(highlight: Highlight): Highlight {
  const known = stored.get(highlight.id);
  const place = { state: 'same' as const, section: 0, start: 14, end: 19, text: null };
  version += 1;
  const merged = { ...(known ? mergeHighlights(known, highlight) : highlight), place, version };
  stored.set(highlight.id, merged);
  return merged;
}

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.spyOn(console, 'warn').mockReturnValue();
  stored = new Map();
  cards = new Map();
  answers = new Map();
  commitments = new Map();
  lists = new Map();
  answerCalls = [];
  version = 0;
  sent = [];
  refuse = null;
  queryClient.clear();
  session.start('token');
  copiesOwner.set(ADA);
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: ADA }) })),
    on('PUT /api/study/highlights/{id}', ({ request, body }) => {
      const id = Number(request.url.split('/').at(-1));
      const refused = refuse?.(id);
      if (refused) return refused;
      sent.push(id);
      return { highlight: wire(store(sampleHighlight({ ...(body as Highlight), id }))) };
    }),
    on('PUT /api/study/cards/{id}', ({ request, body }) => {
      const id = Number(request.url.split('/').at(-1));
      return refuse?.(id) ?? { card: storeCard(sampleCard({ ...(body as ReviewCard), id, title: 'Walden' }), '2026-11-28') };
    }),
    on('PUT /api/study/commitments/{id}', ({ request, body }) => {
      const id = Number(request.url.split('/').at(-1));
      return refuse?.(id) ?? { commitment: storeCommitment(sampleCommitment({ ...(body as Commitment), id })) };
    }),
    on('PUT /api/study/lists/{id}', ({ request, body }) => {
      const id = Number(request.url.split('/').at(-1));
      const { books, ...rest } = body as Partial<ReadingList>;
      // What the server knows of the books.
      return refuse?.(id) ?? { list: storeList(sampleReadingList({ ...rest, id, books: (books ?? []).map(sampleListBook) })) };
    }),
    on('POST /api/study/answers', ({ body }) => {
      const list = (body as { answers: CardAnswer[] }).answers;
      answerCalls.push(list.length);
      if (list.some(({ cardId }) => cardId === 666)) return failure(422, 'validation_failed', 'Please rate from 1 to 4.');
      for (const answer of list) answers.set(answer.id, answer);
      const answered = [...new Set(list.map(({ cardId }) => cardId))].flatMap((id) => cards.get(id) ?? []);
      return { cards: answered.map((card) => storeCard(card, '2026-12-01')), unknown: [] };
    }),
    on('GET /api/study/changes', ({ request }) => {
      const after = Number(new URL(request.url).searchParams.get('after'));
      const later = [...stored.values()].filter((one) => (one.version ?? 0) > after).sort((one, other) => (one.version ?? 0) - (other.version ?? 0));
      const page = later.slice(0, 2);
      return {
        highlights: page.map(wire),
        cards: after === 0 ? ([...cards.values()] as unknown as SentCard[]) : [],
        commitments: after === 0 ? ([...commitments.values()] as unknown as SentCommitment[]) : [],
        lists: after === 0 ? ([...lists.values()] as unknown as SentList[]) : [],
        next: later.length > 2 ? (page.at(-1)?.version ?? null) : null,
        version,
      };
    }),
  );
  await studyStore.removeMember(ADA);
  await studyStore.load(ADA);
});
afterEach(() => {
  session.end('left');
  vi.unstubAllGlobals();
});

const made = (more: Partial<Highlight> = {}) => sampleHighlight({ version: null, place: null, ...more });
const record = (id: number) => studyStore.snapshot().highlights.get(id);

describe('study sync (study.highlight-merge)', () => {
  it('sends what waits, once, and takes the server’s answer', async () => {
    await studyStore.putHighlight(made({ id: 1 }));
    await studyStore.putHighlight(made({ id: 2 }));
    await syncStudy();
    expect(sent).toEqual([1, 2]);
    expect(record(1)?.unsent).toBeUndefined();
    expect(record(1)?.state.place?.state).toBe('same');
    await syncStudy();
    expect(sent).toEqual([1, 2]);
  });

  it('reads what another device has changed, in parts, and starts from there the next time', async () => {
    for (const id of [1, 2, 3, 4, 5]) store(sampleHighlight({ id }));
    await syncStudy();
    expect([...studyStore.snapshot().highlights.keys()].sort()).toEqual([1, 2, 3, 4, 5]);
    expect(await studyStore.cursor(ADA)).toBe(5);
    store(sampleHighlight({ id: 3, color: { value: 'rose', at: 99 } }));
    await syncStudy();
    expect(record(3)?.state.color.value).toBe('rose');
    expect(await studyStore.cursor(ADA)).toBe(6);
  });

  it('keeps what can’t be sent now, and sends it on the next occasion', async () => {
    await studyStore.putHighlight(made({ id: 1 }));
    await studyStore.putHighlight(made({ id: 2 }));
    refuse = (id) => (id === 2 ? failure(503, 'busy', 'Too busy right now.') : null);
    await syncStudy();
    expect(sent).toEqual([1]);
    expect(record(2)?.unsent).toBe(1);
    refuse = null;
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(sent).toEqual([1, 2]));
    await waitFor(() => expect(record(2)?.unsent).toBeUndefined());
  });

  it('keeps what the server refuses, with the reason, and does not send it again until it changes', async () => {
    await studyStore.putHighlight(made({ id: 1 }));
    await studyStore.putHighlight(made({ id: 2 }));
    refuse = (id) => (id === 1 ? failure(403, 'not_opened', 'Please open this summary first.') : null);
    await syncStudy();
    expect(record(1)?.refused).toBe('Please open this summary first.');
    expect(sent).toEqual([2]);
    refuse = null;
    await syncStudy();
    expect(sent).toEqual([2]);
    await studyStore.putHighlight(made({ id: 1, note: { value: 'Again.', at: 50 } }));
    await syncStudy();
    expect(sent).toEqual([2, 1]);
    expect(record(1)?.refused).toBeNull();
  });

  it('sends what was changed while it ran', async () => {
    await studyStore.putHighlight(made({ id: 1 }));
    refuse = () => {
      refuse = null;
      void studyStore.putHighlight(made({ id: 1, note: { value: 'More.', at: 60 } })).then(syncStudy);
      return null;
    };
    await syncStudy();
    await waitFor(() => expect(stored.get(1)?.note.value).toBe('More.'));
    await waitFor(() => expect(record(1)?.unsent).toBeUndefined());
  });

  it('two devices that were offline end with the same, in either order', async () => {
    store(sampleHighlight({ id: 1 }));
    await syncStudy();
    store(sampleHighlight({ id: 1, color: { value: 'leaf', at: 30 }, deletedAt: 20 }));
    await studyStore.putHighlight(made({ id: 1, note: { value: 'Mine.', at: 40 } }));
    await syncStudy();
    const { color, note, ...rest } = stored.get(1) ?? sampleHighlight();
    expect([color.value, note.value, isShown({ color, note, ...rest })]).toEqual(['leaf', 'Mine.', true]);
    expect(record(1)?.state.color.value).toBe('leaf');
    expect(record(1)?.state.note.value).toBe('Mine.');
  });

  it('does nothing without a session', async () => {
    await studyStore.putHighlight(made({ id: 1 }));
    session.end('left');
    await syncStudy();
    expect(sent).toEqual([]);
  });

  it('sends a sentence that was heard by its moment', async () => {
    await studyStore.putHighlight(made({ id: 1, anchor: null, heard: { audio: 4_000 } }));
    await syncStudy();
    expect(sent).toEqual([1]);
  });
});

describe('study sync after the end of its session', () => {
  /** The session ends while the server works on a call. */
  const leave = async () => {
    session.end('left');
    await studyStore.removeSent();
  };
  /** What is here of Ada: what is to be sent, and what is shown as sent. */
  const left = async () => {
    const { highlights, cards, answers } = await studyStore.unsent(ADA);
    const now = studyStore.snapshot();
    const sent = [...now.highlights.values(), ...now.cards.values()].filter(({ unsent }) => !unsent).length;
    return { unsent: [highlights.length, cards.length, answers.length], sent };
  };

  it.each([
    ['accepted', () => ({ highlight: wire(sampleHighlight({ id: 1, version: 3 })) })],
    ['refused', () => failure(403, 'not_opened', 'Please open this summary first.')],
  ])('a highlight that was %s stays as it was', async (_, answer) => {
    server.use(
      on('PUT /api/study/highlights/{id}', async () => {
        await leave();
        return answer();
      }),
    );
    await studyStore.putHighlight(made({ id: 1 }));
    await syncStudy();
    expect(await left()).toEqual({ unsent: [1, 0, 0], sent: 0 });
  });

  it.each([
    ['accepted', () => ({ card: storeCard(sampleCard({ id: 9, title: 'Walden' }), '2026-11-28') })],
    ['refused', () => failure(403, 'upgrade_required', 'Please upgrade.')],
  ])('a card that was %s stays as it was', async (_, answer) => {
    server.use(
      on('PUT /api/study/cards/{id}', async () => {
        await leave();
        return answer();
      }),
    );
    await studyStore.putCard(sampleCard({ id: 9, version: null }));
    await syncStudy();
    expect(await left()).toEqual({ unsent: [0, 1, 0], sent: 0 });
  });

  it.each([
    ['accepted', () => ({ cards: [storeCard(sampleCard({ id: 9, title: 'Walden' }), '2026-11-28')], unknown: [] })],
    ['refused', () => failure(422, 'validation_failed', 'Please rate from 1 to 4.')],
  ])('answers that were %s stay, and no card is stored', async (_, answer) => {
    server.use(
      on('POST /api/study/answers', async () => {
        await leave();
        return answer();
      }),
    );
    await studyStore.addAnswer({ id: 1, cardId: 9, rating: 3, at: 1 });
    await syncStudy();
    expect(await left()).toEqual({ unsent: [0, 0, 1], sent: 0 });
  });
});

describe('the change feed', () => {
  it('is read no further once the records were removed between two parts, and from its start the next time', async () => {
    for (const id of [1, 2, 3]) store(sampleHighlight({ id }));
    const feed = () => sampleChanges({ highlights: [...stored.values()].slice(2).map(wire), version });
    let calls = 0;
    server.use(
      on('GET /api/study/changes', async () => {
        calls += 1;
        if (calls === 1) return sampleChanges({ highlights: [...stored.values()].slice(0, 2).map(wire), next: 2, version });
        await studyStore.removeSent();
        return feed();
      }),
    );
    await syncStudy();
    expect([calls, await studyStore.cursor(ADA), studyStore.snapshot().highlights.size]).toEqual([2, 0, 0]);
    calls = 0;
    server.use(on('GET /api/study/changes', () => ({ ...feed(), highlights: [...stored.values()].map(wire) })));
    await syncStudy();
    expect([await studyStore.cursor(ADA), studyStore.snapshot().highlights.size]).toEqual([3, 3]);
  });
});

describe('a highlight whose source was deleted', () => {
  it('is sent without a source', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('PUT /api/study/highlights/{id}', ({ body }) => {
        bodies.push(body);
        return { highlight: wire(store(sampleHighlight({ ...(body as Highlight), id: 1, bookId: null }))) };
      }),
    );
    await studyStore.putHighlight(made({ id: 1, bookId: null, subid: null, note: { value: 'Still mine.', at: 9 } }));
    await syncStudy();
    expect(bodies).toMatchObject([{ note: { value: 'Still mine.' } }]);
    expect(Object.keys(bodies[0] as object)).not.toContain('bookId');
    expect(Object.keys(bodies[0] as object)).not.toContain('summaryId');
  });
});

describe('the sync of review cards (study.answer-merge)', () => {
  const answer = (id: number, cardId: number): CardAnswer => ({ id, cardId, rating: 3, at: id });

  it('sends cards before their answers, once, and takes the schedules', async () => {
    await studyStore.putCard(sampleCard({ id: 9, version: null }));
    await studyStore.addAnswer(answer(1, 9));
    await syncStudy();
    expect([...answers.keys()]).toEqual([1]);
    expect(studyStore.snapshot().cards.get(9)).toMatchObject({ state: { schedule: { due: '2026-12-01' } } });
    expect(studyStore.snapshot().cards.get(9)?.unsent).toBeUndefined();
    expect(studyStore.snapshot().answers.size).toBe(0);
    await syncStudy();
    expect(answerCalls).toEqual([1]);
  });

  it('sends a week of answers in lists of a hundred', async () => {
    await studyStore.putCard(sampleCard({ id: 9, version: null }));
    for (let id = 1; id <= 130; id += 1) await studyStore.addAnswer(answer(id, 9));
    await syncStudy();
    expect(answerCalls).toEqual([100, 30]);
    expect(answers.size).toBe(130);
  });

  it('reads everything again when a plan has begun or ended: what may be read is another then', async () => {
    storeCard(sampleCard({ id: 9 }), '2026-11-28');
    await syncStudy();
    expect(await studyStore.cursor(ADA)).toBe(1);
    const asked: string[] = [];
    server.use(
      on('GET /api/user/account', () => ({ user: sampleUser({ id: ADA, isPaid: !sampleUser().isPaid }) })),
      on('GET /api/study/changes', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('after') ?? '');
        const locked = [...cards.values()].map((card) => ({ ...card, schedule: { ...schedule('2026-11-28'), isLocked: true } }));
        return sampleChanges({ cards: locked as unknown as SentCard[], version });
      }),
    );
    queryClient.clear();
    await syncStudy();
    expect(studyStore.snapshot().cards.get(9)?.state.schedule?.isLocked).toBe(true);
    await syncStudy();
    expect(asked).toEqual(['0', '1']);
  });

  it('drops an answer that the server refuses, and no other', async () => {
    for (const [id, cardId] of [
      [1, 9],
      [2, 666],
      [3, 9],
    ] as const) {
      await studyStore.addAnswer(answer(id, cardId));
    }
    await syncStudy();
    expect([...answers.keys()]).toEqual([1, 3]);
    expect(studyStore.snapshot().answers.size).toBe(0);
  });

  it('keeps cards that are refused, with the reason', async () => {
    refuse = () => failure(403, 'upgrade_required', 'Please upgrade to read this summary in full.');
    await studyStore.putCard(sampleCard({ id: 9, version: null }));
    await syncStudy();
    expect(studyStore.snapshot().cards.get(9)?.refused).toBe('Please upgrade to read this summary in full.');
  });
});

describe('commitments (study.commitment-merge)', () => {
  const one = (id: number, more: Partial<Commitment> = {}) => sampleCommitment({ id, version: null, ...more });
  const known = (id: number) => studyStore.snapshot().commitments.get(id);

  it('are sent, and take the server’s answer', async () => {
    await studyStore.putCommitment(one(1));
    await syncStudy();
    expect(commitments.get(1)).toMatchObject({ bookId: 12, text: { value: 'Own less.', at: 1 }, outcome: { value: 'open' }, answeredDay: null });
    expect(known(1)).toMatchObject({ sentRev: 1, state: { version: 1 } });
    expect(known(1)?.unsent).toBeUndefined();
  });

  it('are those of all devices: of each part the latest', async () => {
    await studyStore.putCommitment(one(1));
    await syncStudy();
    storeCommitment(one(1, { outcome: { value: 'done', at: 9 }, answeredDay: 3 }));
    await studyStore.putCommitment(one(1, { text: { value: 'Own half.', at: 8 } }));
    await syncStudy();
    expect(known(1)?.state).toMatchObject({ text: { value: 'Own half.' }, outcome: { value: 'done' }, answeredDay: 3 });
    expect(commitments.get(1)).toMatchObject({ text: { value: 'Own half.' }, outcome: { value: 'done' }, answeredDay: 3 });
  });

  it('of another device arrive with the changes', async () => {
    storeCommitment(one(5));
    await syncStudy();
    expect(known(5)?.state.text.value).toBe('Own less.');
    expect(await studyStore.cursor(ADA)).toBe(1);
  });

  it('that are refused are kept, with the reason, and are no reason to send again', async () => {
    refuse = () => failure(403, 'not_opened', 'Please open the summary first.');
    await studyStore.putCommitment(one(1));
    await syncStudy();
    expect(known(1)).toMatchObject({ unsent: 1, refused: 'Please open the summary first.' });
    expect((await studyStore.unsent(ADA)).commitments).toEqual([]);
    expect(await studyStore.unsentCount(ADA)).toBe(1);
    // One that the server never had is dropped when it is deleted.
    await studyStore.removeCommitment(1);
    expect(known(1)).toBeUndefined();
  });
});

describe('lists (study.list-merge)', () => {
  const one = (id: number, more: Partial<ReadingList> = {}) => sampleReadingList({ id, version: null, ...more });
  const known = (id: number) => studyStore.snapshot().lists.get(id);

  it('are sent, and take the server’s answer', async () => {
    await studyStore.putList(one(1));
    await syncStudy();
    expect(lists.get(1)).toMatchObject({ name: { value: 'Simple living', at: 1 }, books: [{ bookId: 12, rank: 'a0', at: 1 }] });
    expect(known(1)).toMatchObject({ sentRev: 1, state: { version: 1 } });
    expect(known(1)?.unsent).toBeUndefined();
  });

  it('are sent with what devices have set, and nothing else', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('PUT /api/study/lists/{id}', ({ body }) => {
        bodies.push(body);
        return { list: storeList(sampleReadingList({ id: 1 })) };
      }),
    );
    await studyStore.putList(one(1));
    await syncStudy();
    const at = { sent: expect.any(Number) as number, device: expect.any(String) as string };
    expect(bodies).toEqual([{ name: { value: 'Simple living', at: 1 }, books: [{ bookId: 12, rank: 'a0', at: 1 }], createdAt: 1, deletedAt: null, ...at }]);
    await studyStore.putList(one(1, { note: { value: '', at: 4 } }));
    await syncStudy();
    expect(bodies[1]).toMatchObject({ note: { value: '', at: 4 } });
  });

  it('are those of all devices: of each part and each book the latest', async () => {
    await studyStore.putList(one(1));
    await syncStudy();
    storeList(one(1, { name: { value: 'Less', at: 9 }, books: [sampleListBook({ rank: null, at: 9 })] }));
    await studyStore.putList(
      one(1, { note: { value: 'For May.', at: 8 }, books: [sampleListBook({ rank: 'a5', at: 7 }), sampleListBook({ bookId: 13, at: 7 })] }),
    );
    await syncStudy();
    for (const list of [lists.get(1), known(1)?.state]) {
      expect(list).toMatchObject({ name: { value: 'Less' }, note: { value: 'For May.' } });
      expect(list?.books).toMatchObject([
        { bookId: 12, rank: null },
        { bookId: 13, rank: 'a0' },
      ]);
    }
  });

  it('lose a book that the server does not have', async () => {
    await studyStore.putList(one(1, { books: [sampleListBook(), sampleListBook({ bookId: 666 })] }));
    server.use(on('PUT /api/study/lists/{id}', () => ({ list: storeList(sampleReadingList({ id: 1 })) })));
    await syncStudy();
    expect(known(1)?.state.books).toMatchObject([{ bookId: 12 }]);
  });

  it('of another device arrive with the changes', async () => {
    storeList(one(6, { sharing: 'link', slug: 'K4HX' }));
    await syncStudy();
    expect(known(6)?.state).toMatchObject({ sharing: 'link', slug: 'K4HX', name: { value: 'Simple living' } });
    expect(await studyStore.cursor(ADA)).toBe(1);
  });

  it('that were deleted are sent without their books, so that these refuse nothing', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('PUT /api/study/lists/{id}', ({ body }) => {
        bodies.push(body);
        return { list: storeList(sampleReadingList({ id: 1, books: [], deletedAt: (body as ReadingList).deletedAt })) };
      }),
    );
    await studyStore.putList(one(1));
    await studyStore.removeList(1);
    await syncStudy();
    expect(bodies).toEqual([expect.objectContaining({ books: [], deletedAt: expect.any(Number) as number })]);
    expect(known(1)?.unsent).toBeUndefined();
  });

  it('outlive the page only as far as browsers allow it', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const kept = () => fetched.mock.calls.filter(([url]) => typeof url === 'string' && url.includes('/api/study/lists/')).map(([, init]) => init?.keepalive);
    await studyStore.putList(one(1));
    await syncStudy();
    await studyStore.putList(one(1, { note: { value: 'é'.repeat(30_000), at: 9 } }));
    await syncStudy();
    expect(kept()).toEqual([true, false]);
    fetched.mockRestore();
  });

  it('that are refused are kept, with the reason', async () => {
    refuse = () => failure(409, 'too_many_lists', 'You have 200 lists. Please delete one first.');
    await studyStore.putList(one(1));
    await syncStudy();
    expect(known(1)).toMatchObject({ unsent: 1, refused: 'You have 200 lists. Please delete one first.' });
    await studyStore.removeList(1);
    expect(known(1)).toBeUndefined();
  });
});
