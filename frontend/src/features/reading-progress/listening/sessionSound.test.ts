import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createSessionSound, startsOf } from '@/features/reading-progress/listening/sessionSound';
import { sessionRecording } from '@/features/reading-progress/listening/sessionRecording';
import type { Sound, SoundEvents } from '@/features/reading-progress/listening/sound';

/** Two fake elements: each says what it was asked to do, and the test moves its time. */
function setUp() {
  const made: { at: number; url: string; plays: boolean; rate: number; events: SoundEvents }[] = [];
  const make = (_element: HTMLAudioElement, events: SoundEvents): Sound => {
    const is = { at: 0, url: '', plays: false, rate: 1, events };
    made.push(is);
    return {
      load: ({ url }, at) => Object.assign(is, { url, at }),
      swap: ({ url }) => Object.assign(is, { url }),
      play: () => Object.assign(is, { plays: true }),
      pause: () => Object.assign(is, { plays: false }),
      at: () => is.at,
      seek: (at) => Object.assign(is, { at }),
      setRate: (rate) => Object.assign(is, { rate }),
      setVolume: () => undefined,
      setMuted: () => undefined,
      unload: () => Object.assign(is, { url: '', at: 0, plays: false }),
    };
  };
  const events = {
    time: vi.fn<(at: number) => void>(),
    length: vi.fn<(seconds: number) => void>(),
    playing: vi.fn(),
    waiting: vi.fn(),
    pausedOutside: vi.fn(),
    startedOutside: vi.fn(),
    ended: vi.fn(),
    failed: vi.fn(),
    refused: vi.fn(),
  };
  const sound = createSessionSound(document.createElement('audio'), events, make);
  const deck = (i: number) => {
    const found = made[i];
    if (!found) throw new Error(`There is no element ${i}.`);
    return found;
  };
  /** The element's time goes on to this second. */
  const hear = (i: number, at: number) => {
    deck(i).at = at;
    deck(i).events.time(at);
  };
  return { sound, events, deck, hear, made };
}

const PARTS = [
  { url: 'a', from: 100, to: 110 },
  { url: 'b', from: 0, to: 20 },
  { url: 'a', from: 200, to: 205 },
];

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe('the sound of a session', () => {
  it('goes from part to part at the moment at which one ends, and the next is loaded before', () => {
    const { sound, events, deck, hear } = setUp();
    sound.load({ url: '', parts: PARTS }, 0);
    expect([deck(0).url, deck(0).at, deck(1).url, deck(1).at]).toEqual(['a', 100, 'b', 0]);
    sound.play();
    hear(0, 105);
    expect(events.time).toHaveBeenLastCalledWith(5);
    expect(sound.at()).toBe(5);
    // The element's last report before the end; half a second later the next part plays.
    hear(0, 109.5);
    vi.advanceTimersByTime(499);
    expect(deck(1).plays).toBe(false);
    vi.advanceTimersByTime(1);
    expect([deck(0).plays, deck(1).plays, deck(0).url, deck(0).at]).toEqual([false, true, 'a', 200]);
    expect(events.time).toHaveBeenLastCalledWith(10);
    // What the element before says now is not heard.
    hear(0, 201);
    deck(0).events.waiting();
    expect([sound.at(), events.waiting.mock.calls.length]).toEqual([10, 0]);
    hear(1, 20);
    expect([deck(0).plays, events.time.mock.lastCall]).toEqual([true, [30]]);
    hear(0, 204.9);
    vi.advanceTimersByTime(200);
    expect([events.ended.mock.calls.length, deck(0).plays, deck(1).plays]).toEqual([1, false, false]);
  });

  it('ends a part earlier at a higher speed, and not while it is paused', () => {
    const { sound, deck, hear } = setUp();
    sound.load({ url: '', parts: PARTS }, 0);
    sound.play();
    sound.setRate(2);
    hear(0, 109);
    vi.advanceTimersByTime(499);
    expect(deck(1).plays).toBe(false);
    sound.pause();
    vi.advanceTimersByTime(5000);
    expect(deck(1).plays).toBe(false);
    sound.play();
    vi.advanceTimersByTime(500);
    expect([deck(1).plays, deck(1).rate]).toEqual([true, 2]);
  });

  it('seeks within a part and to another one', () => {
    const { sound, deck } = setUp();
    sound.load({ url: '', parts: PARTS }, 12);
    expect([deck(0).url, deck(0).at, deck(1).url, deck(1).at]).toEqual(['b', 2, 'a', 200]);
    sound.play();
    sound.seek(29);
    expect([deck(0).url, deck(0).at]).toEqual(['b', 19]);
    sound.seek(31);
    expect([deck(0).url, deck(0).at, deck(0).plays]).toEqual(['a', 201, true]);
    sound.seek(3);
    expect([deck(0).url, deck(0).at, deck(1).url]).toEqual(['a', 103, 'b']);
  });

  it('goes on with new URLs', () => {
    const { sound, deck, hear } = setUp();
    sound.load({ url: '', parts: PARTS }, 0);
    sound.play();
    hear(0, 104);
    sound.swap({ url: '', parts: PARTS.map((part) => ({ ...part, url: `${part.url}2` })) });
    expect([deck(0).url, deck(0).at, deck(1).url]).toEqual(['a2', 104, 'b2']);
  });

  it('plays one recording like before, with one element', () => {
    const { sound, events, deck, hear, made } = setUp();
    sound.load({ url: 'book' }, 7);
    sound.play();
    hear(0, 8);
    deck(0).events.length(90);
    deck(0).events.ended();
    expect([events.time.mock.lastCall, events.length.mock.lastCall, events.ended.mock.calls.length, made.length]).toEqual([[8], [90], 1, 1]);
  });
});

describe('the recording of a session', () => {
  it('has the ideas as its sections, and reads each book once', async () => {
    const part = (subid: string, idea: string, from: number, to: number) => ({
      ...{ subid, idea, from, to, bookId: 1, section: 0, sections: 3, bookTitle: 'Book', author: 'Ada', image: null },
    });
    const asked: string[] = [];
    const read = (subid: string) => {
      asked.push(subid);
      return Promise.resolve({ url: `/media/${subid}`, until: subid === 'a' ? 50 : 40 });
    };
    const recording = await sessionRecording([part('a', 'One', 10, 20), part('b', 'Two', 0, 5), part('a', 'Three', 30, 32)], read);
    expect(asked).toEqual(['a', 'b']);
    expect(recording.parts?.map(({ url }) => url)).toEqual(['/media/a', '/media/b', '/media/a']);
    expect(recording.chapters).toEqual([
      { section: 0, title: 'One', at: 0 },
      { section: 1, title: 'Two', at: 10 },
      { section: 2, title: 'Three', at: 15 },
    ]);
    expect([recording.seconds, recording.until]).toEqual([17, 40]);
    await expect(sessionRecording([part('a', 'One', 0, 1)], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('begins each part where the one before ends', () => {
    expect(startsOf([])).toEqual([]);
    expect(startsOf(PARTS)).toEqual([0, 10, 30]);
  });
});
