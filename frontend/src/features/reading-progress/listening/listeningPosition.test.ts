import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { setReadingPlace } from '@/shared/listening/listening';
import { storeUnsent, unsentPlaces } from '@/shared/positions/places';
import { syncPlaces } from '@/shared/positions/positionSync';
import type { ListeningPosition } from '@/features/reading-progress/listening/engine';
import { clearListeningPositions, resumePosition, saveListeningPosition } from '@/features/reading-progress/listening/listeningPosition';
import { places } from '@/features/reading-progress/listening/playerStorage';
import { sampleTrack } from '@test/listening';
import { failure, on, server } from '@test/server';

const positionOf = (more: Partial<ListeningPosition> = {}): ListeningPosition => ({ track: sampleTrack(), at: 12.3456, section: 1, completed: false, ...more });

type Body = Record<string, unknown>;
const place = { position: 0, paragraph: null, at: 0, device: null, furthest: 0, audio: 61_000 };

/** Mocks the server, which responds as `answer` says; returns the reported positions. */
function listenAt(answer: () => Promise<Response | null> = () => Promise.resolve(null)): Body[] {
  const reported: Body[] = [];
  server.use(
    on('PUT /api/user-book-history', async ({ body }) => {
      reported.push(body as Body);
      return (await answer()) ?? { entry: { bookId: 1, position: 0, completed: false, at: 0 }, progress: null, place };
    }),
  );
  return reported;
}

beforeEach(() => {
  session.start('token');
  return () => {
    session.end('left');
    setReadingPlace(null);
    clearListeningPositions();
    localStorage.clear();
  };
});

describe('a listening position', () => {
  it('is saved as the section that is heard and the milliseconds of the recording', async () => {
    const reported = listenAt();
    saveListeningPosition(positionOf());
    await waitFor(() => expect(reported).toHaveLength(1));
    expect(reported[0]).toMatchObject({ bookId: 1, audio: 12346, position: 1, completed: false });
    for (const key of ['at', 'sent']) expect(reported[0]?.[key]).toBeTypeOf('number');
    expect(reported[0]?.['device']).toBeTypeOf('string');
  });

  it('of an episode stays in this browser, also a member’s', () => {
    const reported = listenAt();
    const track = sampleTrack({ bookId: null, subid: 'an-episode', file: { url: '/media/podcasts/one.mp3', seconds: 90 } });
    saveListeningPosition(positionOf({ track }));
    expect(resumePosition(track, null)).toBe(12.3);
    expect(resumePosition(sampleTrack(), 5)).toBe(5);
    saveListeningPosition(positionOf({ track, completed: true }));
    expect(resumePosition(track, null)).toBeNull();
    expect(reported).toHaveLength(0);
  });

  it('of the podcast about a book stays in this browser, apart from an episode and the recording of that name', () => {
    const reported = listenAt();
    const podcast = sampleTrack({ bookId: null, subid: 'book-1', isAboutBook: true });
    saveListeningPosition(positionOf({ track: podcast }));
    expect(resumePosition(podcast, null)).toBe(12.3);
    expect(resumePosition(sampleTrack({ bookId: null, subid: 'book-1' }), null)).toBeNull();
    expect(resumePosition(sampleTrack(), null)).toBeNull();
    expect(reported).toHaveLength(0);
  });

  it('of a session is the place in the book whose idea plays', async () => {
    const reported = listenAt();
    const part = (bookId: number, section: number, from: number, to: number) => ({
      ...{ bookId, section, from, to, subid: `book-${bookId}`, sections: 9, idea: 'An idea', bookTitle: 'Book', author: 'Ada', image: null },
    });
    const track = sampleTrack({ bookId: null, subid: 'session', parts: [part(3, 4, 100, 130), part(1, 2, 60, 90)] });
    saveListeningPosition(positionOf({ track, at: 35, section: 1 }));
    await waitFor(() => expect(reported).toHaveLength(1));
    expect(reported[0]).toMatchObject({ bookId: 1, audio: 65_000, position: 2, completed: false });
    saveListeningPosition(positionOf({ track, at: 0, section: 1, completed: true }));
    expect(resumePosition(track, null)).toBeNull();
    expect(reported).toHaveLength(1);
  });

  it('does not move the position of a text that is open', async () => {
    const reported = listenAt();
    setReadingPlace({ bookId: 1, position: 4 });
    saveListeningPosition(positionOf());
    await waitFor(() => expect(reported).toHaveLength(1));
    expect(reported[0]).not.toHaveProperty('position');
  });

  it('is the last section when the recording has ended', async () => {
    const reported = listenAt();
    setReadingPlace({ bookId: 1, position: 0 });
    saveListeningPosition(positionOf({ at: 0, section: null, completed: true }));
    await waitFor(() => expect(reported).toHaveLength(1));
    expect(reported[0]).toMatchObject({ audio: 0, position: 2, completed: true });
  });

  it('is sent one call at a time, the newest last, and no completion is dropped', async () => {
    let go: () => void = () => undefined;
    const reported = listenAt(
      () =>
        new Promise((resolve) => {
          go = () => resolve(null);
        }),
    );
    saveListeningPosition(positionOf({ at: 1 }));
    saveListeningPosition(positionOf({ at: 2 }));
    saveListeningPosition(positionOf({ at: 0, completed: true }));
    saveListeningPosition(positionOf({ at: 3 }));
    saveListeningPosition(positionOf({ at: 4 }));
    await waitFor(() => expect(reported).toHaveLength(1));
    go();
    await waitFor(() => expect(reported).toHaveLength(2));
    go();
    await waitFor(() => expect(reported).toHaveLength(3));
    go();
    expect(reported.map(({ audio, completed }) => [audio, completed])).toEqual([
      [1000, false],
      [0, true],
      [4000, false],
    ]);
  });

  it('is stored by member until the server has it, and sent again with its own time', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    let broken = true;
    const reported = listenAt(() => Promise.resolve(broken ? failure(503, 'busy', 'Busy.') : null));
    saveListeningPosition(positionOf({ at: 0, completed: true }));
    saveListeningPosition(positionOf({ at: 7 }));
    await waitFor(() => expect(reported).toHaveLength(2));
    expect(unsentPlaces(7)).toMatchObject([
      { book: 1, audio: 0, completed: true },
      { book: 1, audio: 7000, position: 1, completed: false },
    ]);
    broken = false;
    await syncPlaces();
    expect(unsentPlaces(7)).toEqual([]);
    expect(reported.slice(2).map(({ at, audio, completed }) => ({ at, audio, completed }))).toEqual(
      reported.slice(0, 2).map(({ at, audio, completed }) => ({ at, audio, completed })),
    );
  });

  it('of a completion that failed is sent after the next place that gets through', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    let broken = true;
    const reported = listenAt(() => Promise.resolve(broken ? failure(503, 'busy', 'Busy.') : null));
    saveListeningPosition(positionOf({ at: 0, completed: true }));
    await waitFor(() => expect(reported).toHaveLength(1));
    broken = false;
    await waitFor(() => {
      saveListeningPosition(positionOf({ at: 8 }));
      expect(reported.filter(({ completed }) => completed)).toHaveLength(2);
    });
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
  });

  it('is removed when the server refuses it', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const reported = listenAt(() => Promise.resolve(failure(404, 'not_found', 'Not found.')));
    saveListeningPosition(positionOf());
    await waitFor(() => expect(reported).toHaveLength(1));
    await waitFor(() => expect(unsentPlaces(7)).toEqual([]));
  });

  it('is never sent in the next member’s name', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    let go: () => void = () => undefined;
    const reported = listenAt(
      () =>
        new Promise((resolve) => {
          go = () => resolve(failure(503, 'busy', 'Busy.'));
        }),
    );
    saveListeningPosition(positionOf({ at: 1 }));
    await waitFor(() => expect(reported).toHaveLength(1));
    saveListeningPosition(positionOf({ at: 0, completed: true }));
    session.end('left');
    session.start('another');
    go();
    const next = listenAt();
    saveListeningPosition(positionOf({ track: sampleTrack({ member: 8, bookId: 2 }), at: 3 }));
    await waitFor(() => expect(next).toHaveLength(1));
    await waitFor(() => expect(unsentPlaces(8)).toEqual([]));
    expect(reported).toHaveLength(1);
    expect(next).toMatchObject([{ bookId: 2 }]);
    expect(unsentPlaces(7)).toMatchObject([{ book: 1, completed: true }]);
  });

  it('resumes at the server’s place once the server has the last place of this tab', async () => {
    let answers = () => {};
    listenAt(
      () =>
        new Promise((resolve) => {
          answers = () => resolve(null);
        }),
    );
    const track = sampleTrack();
    expect(resumePosition(track, 720)).toBe(720);
    saveListeningPosition(positionOf({ at: 300 }));
    expect(resumePosition(track, 720)).toBe(300);
    await waitFor(() => {
      answers();
      expect(resumePosition(track, 720)).toBe(720);
    });
    expect(resumePosition(sampleTrack({ bookId: 2 }), null)).toBeNull();
  });

  it('resumes at the place that a closed tab could not send', () => {
    storeUnsent({ member: 7, book: 1, position: null, audio: 9000, at: 1, completed: false });
    expect(resumePosition(sampleTrack(), 720)).toBe(9);
    expect(resumePosition(sampleTrack({ member: 8 }), 720)).toBe(720);
  });

  it('updates the cached page of the book from the server’s answer', async () => {
    const known = { user: null, book: { id: 1, place: { position: 2, paragraph: null, at: 5, device: null, furthest: 2, audio: 4000 } } };
    queryClient.setQueryData(['member', 'book', 'book-1'], known);
    listenAt();
    saveListeningPosition(positionOf());
    await waitFor(() =>
      expect(queryClient.getQueryData(['member', 'book', 'book-1'])).toEqual({ ...known, book: { id: 1, place: { ...known.book.place, audio: 61_000 } } }),
    );
  });

  it('of a visitor stays in the browser', () => {
    session.end('left');
    const reported = listenAt();
    saveListeningPosition(positionOf());
    expect(places.get('audio', 'book-1')).toBe(12.3);
    saveListeningPosition(positionOf({ completed: true }));
    expect(places.get('audio', 'book-1')).toBeNull();
    expect(reported).toEqual([]);
  });
});
