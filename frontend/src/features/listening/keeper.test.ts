import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import type { Heard } from '@/features/listening/engine';
import { keepHeard } from '@/features/listening/keeper';
import { places } from '@/features/listening/remembered';
import { setReadingPlace } from '@/lib/listening';
import { sampleTrack } from '@test/listening';
import { failure, on, server } from '@test/server';

const heard = (more: Partial<Heard> = {}): Heard => ({ track: sampleTrack(), at: 12.3456, section: 1, completed: false, ...more });

type Body = Record<string, unknown>;
const place = { position: 0, at: 0, device: null, furthest: 0, audio: null };

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

  it('is told again when a completion was lost, as soon as there is a connection', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    let broken = true;
    const told = listenAt(() => Promise.resolve(broken ? failure(503, 'busy', 'Busy.') : null));
    keepHeard(heard({ at: 0, completed: true }));
    await waitFor(() => expect(told).toHaveLength(1));
    broken = false;
    await waitFor(() => {
      window.dispatchEvent(new Event('online'));
      expect(told).toHaveLength(2);
    });
    expect(told[1]).toMatchObject({ completed: true, at: told[0]?.['at'] });
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
