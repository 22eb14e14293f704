import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { setReadingPlace } from '@/domain/listening';
import { keepUnsent, unsentPlaces } from '@/domain/places';
import { resendPlaces } from '@/domain/resendPlaces';
import type { Heard } from '@/features/listening/engine';
import { forgetHeard, keepHeard, leftOff } from '@/features/listening/keeper';
import { places } from '@/features/listening/remembered';
import { sampleTrack } from '@test/listening';
import { failure, on, server } from '@test/server';

const heard = (more: Partial<Heard> = {}): Heard => ({ track: sampleTrack(), at: 12.3456, section: 1, completed: false, ...more });

type Body = Record<string, unknown>;
const place = { position: 0, at: 0, device: null, furthest: 0, audio: 61_000 };

/** What the server was told; it answers when `answer` says so. */
function listenAt(answer: () => Promise<Response | null> = () => Promise.resolve(null)): Body[] {
  const told: Body[] = [];
  server.use(
    on('PUT /api/user-book-history', async ({ body }) => {
      told.push(body as Body);
      return (await answer()) ?? { entry: { bookId: 1, position: 0, completed: false, at: 0 }, progress: null, place };
    }),
  );
  return told;
}

beforeEach(() => {
  session.start('token');
  return () => {
    session.end('left');
    setReadingPlace(null);
    forgetHeard();
    localStorage.clear();
  };
});

describe('where somebody listens', () => {
  it('is the section that is heard, and the moment in the recording', async () => {
    const told = listenAt();
    keepHeard(heard());
    await waitFor(() => expect(told).toHaveLength(1));
    expect(told[0]).toMatchObject({ bookId: 1, audio: 12346, position: 1, completed: false });
    for (const key of ['at', 'sent']) expect(told[0]?.[key]).toBeTypeOf('number');
    expect(told[0]?.['device']).toBeTypeOf('string');
  });

  it('does not move a text that is open', async () => {
    const told = listenAt();
    setReadingPlace({ bookId: 1, position: 4 });
    keepHeard(heard());
    await waitFor(() => expect(told).toHaveLength(1));
    expect(told[0]).not.toHaveProperty('position');
  });

  it('is the last section when it was heard to the end', async () => {
    const told = listenAt();
    setReadingPlace({ bookId: 1, position: 0 });
    keepHeard(heard({ at: 0, section: null, completed: true }));
    await waitFor(() => expect(told).toHaveLength(1));
    expect(told[0]).toMatchObject({ audio: 0, position: 2, completed: true });
  });

  it('is told one call at a time, the newest last, and no completion is left out', async () => {
    let go: () => void = () => undefined;
    const told = listenAt(
      () =>
        new Promise((resolve) => {
          go = () => resolve(null);
        }),
    );
    keepHeard(heard({ at: 1 }));
    keepHeard(heard({ at: 2 }));
    keepHeard(heard({ at: 0, completed: true }));
    keepHeard(heard({ at: 3 }));
    keepHeard(heard({ at: 4 }));
    await waitFor(() => expect(told).toHaveLength(1));
    go();
    await waitFor(() => expect(told).toHaveLength(2));
    go();
    await waitFor(() => expect(told).toHaveLength(3));
    go();
    expect(told.map(({ audio, completed }) => [audio, completed])).toEqual([
      [1000, false],
      [0, true],
      [4000, false],
    ]);
  });

  it('is kept by member until the server has it, and told again with its own moment', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    let broken = true;
    const told = listenAt(() => Promise.resolve(broken ? failure(503, 'busy', 'Busy.') : null));
    keepHeard(heard({ at: 0, completed: true }));
    keepHeard(heard({ at: 7 }));
    await waitFor(() => expect(told).toHaveLength(2));
    expect(unsentPlaces(7)).toMatchObject([
      { book: 1, audio: 0, completed: true },
      { book: 1, audio: 7000, position: 1, completed: false },
    ]);
    broken = false;
    await resendPlaces(7);
    expect(unsentPlaces(7)).toEqual([]);
    expect(told.slice(2).map(({ at, audio, completed }) => ({ at, audio, completed }))).toEqual(told.slice(0, 2).map(({ at, audio, completed }) => ({ at, audio, completed })));
  });

  it('is told with the next place that gets through, when a completion did not', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    let broken = true;
    const told = listenAt(() => Promise.resolve(broken ? failure(503, 'busy', 'Busy.') : null));
    keepHeard(heard({ at: 0, completed: true }));
    await waitFor(() => expect(told).toHaveLength(1));
    broken = false;
    await waitFor(() => {
      keepHeard(heard({ at: 8 }));
      expect(told.filter(({ completed }) => completed)).toHaveLength(2);
    });
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
  });

  it('is given up when the server refuses it', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const told = listenAt(() => Promise.resolve(failure(404, 'not_found', 'Not found.')));
    keepHeard(heard());
    await waitFor(() => expect(told).toHaveLength(1));
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
  });

  it('never goes out under the name of the next member', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    let go: () => void = () => undefined;
    const told = listenAt(
      () =>
        new Promise((resolve) => {
          go = () => resolve(failure(503, 'busy', 'Busy.'));
        }),
    );
    keepHeard(heard({ at: 1 }));
    await waitFor(() => expect(told).toHaveLength(1));
    keepHeard(heard({ at: 0, completed: true }));
    forgetHeard();
    session.end('left');
    session.start('another');
    go();
    const next = listenAt();
    keepHeard(heard({ track: sampleTrack({ member: 8, bookId: 2 }), at: 3 }));
    await waitFor(() => expect(next).toHaveLength(1));
    await waitFor(() => expect(unsentPlaces(8)).toEqual([]));
    expect(told).toHaveLength(1);
    expect(next).toMatchObject([{ bookId: 2 }]);
    expect(unsentPlaces(7)).toMatchObject([{ book: 1, completed: true }]);
  });

  it('is what the server says, once it knows the last place of this tab', async () => {
    let answers = () => {};
    listenAt(
      () =>
        new Promise((resolve) => {
          answers = () => resolve(null);
        }),
    );
    const track = sampleTrack();
    expect(leftOff(track, 720)).toBe(720);
    keepHeard(heard({ at: 300 }));
    expect(leftOff(track, 720)).toBe(300);
    await waitFor(() => {
      answers();
      expect(leftOff(track, 720)).toBe(720);
    });
    expect(leftOff(sampleTrack({ bookId: 2 }), null)).toBeNull();
  });

  it('is what a closed tab could not send, until that has arrived', () => {
    keepUnsent({ member: 7, book: 1, position: null, audio: 9000, at: 1, completed: false });
    expect(leftOff(sampleTrack(), 720)).toBe(9);
    expect(leftOff(sampleTrack({ member: 8 }), 720)).toBe(720);
  });

  it('is told to the page of the book, which may have been asked for long ago', async () => {
    const known = { user: null, book: { id: 1, place: { position: 2, at: 5, device: null, furthest: 2, audio: 4000 } } };
    queryClient.setQueryData(['member', 'book', 'book-1'], known);
    listenAt();
    keepHeard(heard());
    await waitFor(() => expect(queryClient.getQueryData(['member', 'book', 'book-1'])).toEqual({ ...known, book: { id: 1, place: { ...known.book.place, audio: 61_000 } } }));
  });

  it('stays in the browser of a visitor', () => {
    session.end('left');
    const told = listenAt();
    keepHeard(heard());
    expect(places.get('audio', 'book-1')).toBe(12.3);
    keepHeard(heard({ completed: true }));
    expect(places.get('audio', 'book-1')).toBeNull();
    expect(told).toEqual([]);
  });
});
