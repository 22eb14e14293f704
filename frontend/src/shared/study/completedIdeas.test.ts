import { renderHook, act, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { RequestOf } from '@/api/types';
import { unsentPlaces } from '@/shared/positions/places';
import { accountQuery } from '@/shared/session/account';
import { completeIdea, sendCompletedIdeas, useCompletedIdeas } from '@/shared/study/completedIdeas';
import { forgetIdeas, storeIdea, unsentIdeas } from '@/shared/study/unsentIdeas';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const ADA = 7;
const BEN = 8;

type Report = RequestOf<'POST /api/study/completed-ideas'>['body'];

/** What the server received, call by call. */
let calls: Report[];
let places: { bookId: number; position?: number | null; completed: boolean; audio?: number | null }[];
/** How many calls are under way, and how many were at most. */
let underWay: number;
let most: number;
/** Who is signed in. */
let member: number;
/** Answers a call instead of accepting it. */
let refuse: (report: Report) => Response | null;

const ideaOf = (bookId: number, idea: string, section = 2) => ({ bookId, section, sections: 9, idea });
const headings = () => calls.map(({ ideas }) => ideas.map(({ idea }) => idea));
const waiting = (member = ADA) => unsentIdeas(member).map(({ idea }) => idea);

function login(id: number) {
  member = id;
  session.start(`token ${id}`);
  queryClient.setQueryData(accountQuery().queryKey, sampleUser({ id }));
}

beforeEach(() => {
  [calls, places, underWay, most, refuse] = [[], [], 0, 0, () => null];
  vi.spyOn(console, 'warn').mockReturnValue();
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: member }) })),
    on('PUT /api/user-book-history', ({ body }) => {
      const place = body as (typeof places)[number] & { at: number };
      places.push(place);
      return {
        entry: { bookId: place.bookId, position: 2, completed: false, at: place.at },
        progress: null,
        place: { position: 2, paragraph: null, at: place.at, device: null, furthest: 2, audio: null },
      };
    }),
    on('POST /api/study/completed-ideas', async ({ body }) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      const refusal = refuse(body as Report);
      if (refusal) return refusal;
      calls.push(body as Report);
      return {};
    }),
  );
  login(ADA);
});
afterEach(async () => {
  refuse = () => null;
  await sendCompletedIdeas();
  session.end('left');
  forgetIdeas(null);
});

describe('an idea that is completed (study.completed-ideas)', () => {
  it('is sent with its moment, and saves the place in its book without completing it', async () => {
    completeIdea(ADA, ideaOf(3, 'Listen first', 4));
    await waitFor(() => expect(headings()).toEqual([['Listen first']]));
    await waitFor(() => expect(waiting()).toEqual([]));
    const { ideas, sent } = calls[0] ?? expect.unreachable();
    expect(ideas[0]?.bookId).toBe(3);
    expect(ideas[0]?.at).toBeLessThanOrEqual(sent ?? 0);
    await waitFor(() => expect(places).toMatchObject([{ bookId: 3, position: 4, completed: false }]));
    expect(places[0]).not.toHaveProperty('audio');
    await waitFor(() => expect(unsentPlaces(ADA)).toEqual([]));
  });

  it('is known on the page from then on, also to those who show it already', async () => {
    const since = Date.now();
    const { result } = renderHook(() => useCompletedIdeas(since));
    expect(result.current(ideaOf(3, 'Listen first'))).toBe(false);
    act(() => completeIdea(ADA, ideaOf(3, 'Listen first')));
    expect(result.current(ideaOf(3, 'Listen first'))).toBe(true);
    expect(result.current(ideaOf(4, 'Listen first'))).toBe(false);
    expect(renderHook(() => useCompletedIdeas(Date.now() + 60_000)).result.current(ideaOf(3, 'Listen first'))).toBe(false);
    await sendCompletedIdeas();
    act(() => session.end('left'));
    expect(result.current(ideaOf(3, 'Listen first'))).toBe(false);
  });

  it('twice while it waits is sent once, with the latest moment', async () => {
    refuse = () => failure(503, 'busy', 'Busy.');
    completeIdea(ADA, ideaOf(3, 'Listen first'));
    await sendCompletedIdeas();
    const first = unsentIdeas(ADA)[0]?.at ?? 0;
    completeIdea(ADA, ideaOf(3, 'Listen first'));
    await sendCompletedIdeas();
    expect(unsentIdeas(ADA)).toHaveLength(1);
    expect(unsentIdeas(ADA)[0]?.at).toBeGreaterThan(first);
    storeIdea({ member: ADA, bookId: 3, idea: 'Listen first', at: first });
    expect(unsentIdeas(ADA)[0]?.at).toBeGreaterThan(first);
  });
});

describe('the queue of completed ideas', () => {
  it('waits without a connection, and is sent when there is one again', async () => {
    refuse = () => failure(503, 'busy', 'Busy.');
    for (const idea of ['One', 'Two']) completeIdea(ADA, ideaOf(3, idea));
    await sendCompletedIdeas();
    expect([calls, waiting()]).toEqual([[], ['One', 'Two']]);
    refuse = () => null;
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(waiting()).toEqual([]));
    expect(headings()).toEqual([['One', 'Two']]);
  });

  it('is sent with the next completion', async () => {
    refuse = () => failure(503, 'busy', 'Busy.');
    completeIdea(ADA, ideaOf(3, 'One'));
    await sendCompletedIdeas();
    refuse = () => null;
    completeIdea(ADA, ideaOf(3, 'Two'));
    await waitFor(() => expect(headings()).toEqual([['One', 'Two']]));
  });

  it('has the latest 200 of a member, and is sent in batches of 100, one at a time', async () => {
    for (let n = 1; n <= 230; n++) storeIdea({ member: ADA, bookId: 3, idea: `Idea ${n}`, at: n });
    storeIdea({ member: BEN, bookId: 3, idea: 'Of Ben', at: 1 });
    expect(waiting()).toHaveLength(200);
    await Promise.all([sendCompletedIdeas(), sendCompletedIdeas()]);
    expect(calls.map(({ ideas }) => ideas.length)).toEqual([100, 100]);
    expect([calls[0]?.ideas[0]?.idea, calls[1]?.ideas.at(-1)?.idea, most]).toEqual(['Idea 31', 'Idea 230', 1]);
    expect([waiting(), waiting(BEN)]).toEqual([[], ['Of Ben']]);
  });

  it('loses what the server refuses, and nothing else', async () => {
    refuse = ({ ideas }) => (ideas.some(({ idea }) => idea === 'Bad') ? failure(422, 'validation_failed', 'No.', { field: 'ideas' }) : null);
    for (const idea of ['One', 'Bad', 'Two']) storeIdea({ member: ADA, bookId: 3, idea, at: 1 });
    await sendCompletedIdeas();
    expect(waiting()).toEqual([]);
    expect(headings()).toEqual([['One'], ['Two']]);
  });

  it('is of the member: another one’s is neither sent nor removed', async () => {
    storeIdea({ member: BEN, bookId: 3, idea: 'Of Ben', at: 1 });
    await sendCompletedIdeas();
    expect(calls).toEqual([]);
    forgetIdeas(ADA);
    expect(waiting(BEN)).toEqual(['Of Ben']);
    session.end('left');
    login(BEN);
    await waitFor(() => expect(headings()).toEqual([['Of Ben']]));
  });

  it('is left alone by an answer that comes after a logout', async () => {
    let arrive: (() => void) | null = null;
    server.use(
      on('POST /api/study/completed-ideas', ({ body }) => {
        calls.push(body as Report);
        if (arrive) return failure(503, 'busy', 'Busy.');
        return new Promise<Response>((answer) => {
          arrive = () => answer(failure(422, 'validation_failed', 'No.'));
        });
      }),
    );
    completeIdea(ADA, ideaOf(3, 'One'));
    await waitFor(() => expect(arrive).not.toBeNull());
    const [before] = unsentIdeas(ADA);
    session.end('left');
    forgetIdeas(ADA);
    login(ADA);
    // The same idea, of the session that has begun.
    storeIdea(before ?? expect.unreachable());
    const sent = sendCompletedIdeas();
    (arrive as unknown as () => void)();
    await sent;
    expect(waiting()).toEqual(['One']);
    expect(calls).toHaveLength(2);
  });

  it('passes over what can’t be read', async () => {
    localStorage.setItem('unsentIdeas', JSON.stringify([{ member: ADA }, null, { member: ADA, bookId: 3, idea: 'One', at: 1 }]));
    expect(waiting()).toEqual(['One']);
    localStorage.setItem('unsentIdeas', '{');
    await sendCompletedIdeas();
    expect(calls).toEqual([]);
  });

  it('lasts as long as the page where there is no storage', async () => {
    refuse = () => failure(503, 'busy', 'Busy.');
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('Full', 'QuotaExceededError');
    });
    completeIdea(ADA, ideaOf(3, 'One'));
    await sendCompletedIdeas();
    expect(waiting()).toEqual(['One']);
    refuse = () => null;
    await sendCompletedIdeas();
    expect(headings()).toEqual([['One']]);
    expect(waiting()).toEqual([]);
  });
});
