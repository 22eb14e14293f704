import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import type { Listening } from '@/shared/listening/listening';
import { RENEW_BEFORE, SAVE_EVERY, SETTLED, createEngine } from '@/features/reading-progress/listening/engine';
import type { ListeningPosition } from '@/features/reading-progress/listening/engine';
import { phaseOf } from '@/features/reading-progress/listening/model';
import type { Recording } from '@/features/reading-progress/listening/model';
import type { SoundEvents } from '@/features/reading-progress/listening/sound';
import { sampleRecording, sampleTrack } from '@test/listening';

/** A player with a fake audio element, clock and server. */
function setUp(answers: (Recording | ApiError)[] = [sampleRecording()]) {
  let now = 1_000_000;
  let online = true;
  let state: Listening | null = null;
  let rate = 1;
  const saved: ListeningPosition[] = [];
  const heardParts: number[] = [];
  const sound = { url: '', at: 0, playing: false, rate: 1, volume: 1, muted: false, swaps: [] as string[] };
  let events: SoundEvents | null = null;
  const asked: string[] = [];
  const onPlay = vi.fn();
  const engine = createEngine({
    sound(given) {
      events = given;
      return {
        load: ({ url }, at) => Object.assign(sound, { url, at }),
        swap: ({ url }) => {
          sound.swaps.push(url);
          sound.url = url;
        },
        play: () => {
          sound.playing = true;
        },
        pause: () => {
          sound.playing = false;
        },
        at: () => sound.at,
        seek: (to) => {
          sound.at = to;
        },
        setRate: (to) => {
          sound.rate = to;
        },
        setVolume: (to) => {
          sound.volume = to;
        },
        setMuted: (to) => {
          sound.muted = to;
        },
        unload: () => Object.assign(sound, { url: '', at: 0, playing: false }),
      };
    },
    recordingOf: ({ subid }) => {
      asked.push(subid);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return answer instanceof ApiError ? Promise.reject(answer) : Promise.resolve(answer ?? sampleRecording());
    },
    save: (position) => saved.push(position),
    heard: (_track, part) => heardParts.push(part),
    publish: (published) => {
      state = published;
    },
    now: () => now,
    online: () => online,
    settings: {
      rate: () => rate,
      setRate: (to) => {
        rate = to;
      },
    },
    onPlay,
  });
  const heard = (): SoundEvents => {
    if (!events) throw new Error('The engine has no sound.');
    return events;
  };
  const settled = () => vi.advanceTimersByTimeAsync(0);
  return {
    engine,
    sound,
    saved,
    heardParts,
    asked,
    onPlay,
    heard,
    settled,
    state: () => {
      if (!state) throw new Error('The player is closed.');
      return state;
    },
    closed: () => state === null,
    phase: () => (state ? phaseOf(state) : null),
    online: (is: boolean) => {
      online = is;
    },
    /** Plays up to `at`, advancing the clock one second at a time. */
    listenTo(at: number, seconds = 1) {
      now += seconds * 1000;
      sound.at = at;
      heard().time(at);
    },
    async open(start = {}) {
      engine.open(sampleTrack(), start);
      await settled();
      if (state?.wanted) heard().playing();
    },
  };
}

const failed = (status: number) => new ApiError({ status, code: 'x', message: 'x' });
const places = (saved: ListeningPosition[]) => saved.map(({ at, section, completed }) => [at, section, completed]);

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe('playing', () => {
  it('opens where it was left off, and the first play saves the position', async () => {
    const one = setUp();
    one.engine.open(sampleTrack(), { saved: 25, section: 1 });
    expect(one.phase()).toBe('loading');
    await one.settled();
    expect(one.sound).toMatchObject({ at: 25, playing: true });
    expect(one.phase()).toBe('buffering');
    expect(one.saved).toEqual([]);
    one.heard().playing();
    expect(one.phase()).toBe('playing');
    expect(places(one.saved)).toEqual([[25, 1, false]]);
    expect(one.onPlay).toHaveBeenCalledOnce();
  });

  it('saves the position at intervals, when a section begins, and at a pause', async () => {
    const one = setUp();
    await one.open();
    one.listenTo(1);
    expect(one.saved).toHaveLength(1);
    one.listenTo(8, SAVE_EVERY / 1000);
    expect(places(one.saved).at(-1)).toEqual([8, 0, false]);
    one.listenTo(10.2);
    expect(places(one.saved).at(-1)).toEqual([10.2, 1, false]);
    one.listenTo(11);
    one.engine.toggle();
    expect(one.sound.playing).toBe(false);
    expect(places(one.saved).at(-1)).toEqual([11, 1, false]);
    expect(one.saved).toHaveLength(4);
  });

  it('stops at the end, resets to 0 and completes the book', async () => {
    const one = setUp();
    await one.open({ at: 80 });
    one.listenTo(89.9);
    one.heard().ended();
    expect(one.phase()).toBe('stopped');
    expect(one.sound).toMatchObject({ playing: false, at: 0 });
    expect(one.state().at).toBe(0);
    expect(places(one.saved).at(-1)).toEqual([0, 2, true]);
    one.engine.toggle();
    expect(one.sound.playing).toBe(true);
  });

  it('seeks, skips and steps, and saves the position after the last seek', async () => {
    const one = setUp();
    await one.open();
    one.engine.seek(33);
    one.engine.skip(15);
    one.engine.skip(-15);
    one.engine.step(1);
    expect(one.sound.at).toBe(60);
    one.engine.step(1, 'paragraph');
    expect(one.sound.at).toBe(62);
    const before = one.saved.length;
    vi.advanceTimersByTime(SETTLED);
    expect(places(one.saved).slice(before)).toEqual([[62, 2, false]]);
    one.engine.skip(100);
    expect(one.sound.at).toBe(90);
  });

  it('cycles the speed and remembers it for the next book', async () => {
    const one = setUp();
    await one.open();
    one.engine.cycleSpeed();
    expect(one.sound.rate).toBe(1.25);
    one.engine.open(sampleTrack({ bookId: 2, subid: 'book-2' }), {});
    await one.settled();
    expect(one.state()).toMatchObject({ rate: 1.25, track: { subid: 'book-2' } });
    expect(one.sound.rate).toBe(1.25);
  });

  it('plays on when the same book is opened again', async () => {
    const one = setUp();
    await one.open();
    one.listenTo(5);
    one.engine.pause();
    one.engine.open(sampleTrack(), { section: 0 });
    expect(one.asked).toHaveLength(1);
    expect(one.sound).toMatchObject({ playing: true, at: 5 });
    one.engine.open(sampleTrack(), { at: 62 });
    expect(one.sound.at).toBe(62);
    one.engine.pause();
    one.engine.open(sampleTrack(), { section: 1, chosen: true });
    expect(one.sound).toMatchObject({ playing: true, at: 10 });
  });

  it('resumes where another device has left off since, unless this one is newer', async () => {
    const one = setUp();
    await one.open();
    one.listenTo(5);
    one.engine.pause();
    one.engine.open(sampleTrack(), { section: 0, saved: 5.2 });
    expect(one.sound).toMatchObject({ playing: true, at: 5 });
    one.engine.pause();
    one.engine.open(sampleTrack(), { section: 0, saved: 71 });
    expect(one.sound).toMatchObject({ playing: true, at: 71 });
    one.engine.pause();
    one.engine.seek(33);
    one.engine.open(sampleTrack(), { section: 1, saved: 71 });
    expect(one.sound).toMatchObject({ playing: true, at: 33 });
  });

  it('follows the system and the browser', async () => {
    const one = setUp();
    await one.open();
    one.heard().pausedOutside();
    expect(one.phase()).toBe('paused');
    one.heard().startedOutside();
    expect(one.phase()).toBe('playing');
    one.heard().refused();
    expect(one.phase()).toBe('paused');
  });

  it('saves the position when it is closed, and unloads the recording', async () => {
    const one = setUp();
    await one.open();
    one.listenTo(7);
    one.engine.close();
    expect(one.closed()).toBe(true);
    expect(one.sound.url).toBe('');
    expect(places(one.saved).at(-1)).toEqual([7, 0, false]);
  });

  it('saves nothing while paused: another device may be further', async () => {
    const one = setUp();
    await one.open();
    one.listenTo(7);
    one.engine.pause();
    const before = one.saved.length;
    one.engine.leave();
    one.heard().time(7); // browsers report the time of paused audio too
    one.engine.leave();
    expect(one.saved).toHaveLength(before);
    one.engine.seek(33);
    one.engine.leave();
    expect(places(one.saved).slice(before)).toEqual([[33, 1, false]]);
    vi.advanceTimersByTime(SETTLED);
    one.engine.close();
    expect(one.saved).toHaveLength(before + 1);
  });

  it('saves nothing once it has ended', async () => {
    const one = setUp();
    await one.open({ at: 80 });
    one.listenTo(89.9);
    one.heard().ended();
    const before = one.saved.length;
    one.engine.leave();
    expect(one.saved).toHaveLength(before);
  });

  it('is restored after a reload without saving a position', async () => {
    const one = setUp();
    await one.open({ at: 20, silent: true });
    expect(one.phase()).toBe('paused');
    expect(one.sound).toMatchObject({ playing: false, at: 20 });
    one.engine.leave();
    expect(one.saved).toEqual([]);
    expect(one.onPlay).not.toHaveBeenCalled();
  });

  it('ignores a response that comes after another book was opened', async () => {
    const one = setUp([sampleRecording({ url: '/one' }), sampleRecording({ url: '/two' })]);
    one.engine.open(sampleTrack(), {});
    one.engine.open(sampleTrack({ bookId: 2, subid: 'book-2' }), {});
    await one.settled();
    expect(one.sound.url).toBe('/two');
  });
});

describe('the sleep timer', () => {
  it('fades the sound, stops it, and leaves the loudness as it was', async () => {
    const one = setUp();
    await one.open();
    one.engine.setSleep({ minutes: 5 });
    for (let i = 1; i <= 296; i++) one.listenTo(Math.min(59, i / 10));
    expect(one.sound.volume).toBe(0.5);
    for (let i = 0; i < 4; i++) one.listenTo(50);
    expect(one.sound).toMatchObject({ playing: false, volume: 1 });
    expect(one.phase()).toBe('paused');
  });

  it('does not count the time in which the machine slept', async () => {
    const one = setUp();
    await one.open();
    one.engine.setSleep({ minutes: 5 });
    one.listenTo(1, 3600);
    expect(one.phase()).toBe('playing');
  });
});

describe('a presigned URL that expires', () => {
  it('is renewed before it expires, without stopping', async () => {
    const one = setUp([sampleRecording({ url: '/old', until: 1_000_000 + RENEW_BEFORE + 5000 }), sampleRecording({ url: '/new' })]);
    await one.open();
    one.listenTo(4, 4);
    expect(one.asked).toHaveLength(1);
    one.listenTo(6, 2);
    await one.settled();
    expect(one.sound.swaps).toEqual(['/new']);
    expect(one.phase()).toBe('playing');
    one.listenTo(7);
    expect(one.asked).toHaveLength(2);
  });

  it.each([
    [0, 'playing'],
    [429, 'playing'],
    [503, 'playing'],
    [401, 'failed'],
    [403, 'failed'],
    [404, 'failed'],
  ])('is asked for too early to matter: an answer of %i leaves it %s', async (status, phase) => {
    const one = setUp([sampleRecording({ url: '/old', until: 1_000_000 + RENEW_BEFORE + 500 }), failed(status), sampleRecording({ url: '/new' })]);
    await one.open();
    one.listenTo(1);
    await one.settled();
    expect(one.asked).toHaveLength(2);
    expect(one.phase()).toBe(phase);
    if (phase === 'failed') return;
    one.listenTo(32, 31);
    await one.settled();
    expect(one.sound.swaps).toEqual(['/new']);
  });

  it('is renewed when it is refused, and plays on from the same time', async () => {
    const one = setUp([sampleRecording({ url: '/old' }), sampleRecording({ url: '/new' })]);
    await one.open();
    one.listenTo(41);
    one.heard().failed();
    await one.settled();
    expect(one.sound).toMatchObject({ url: '/new', at: 41, playing: true });
    expect(one.state().failure).toBeNull();
  });

  it('is renewed when playback resumes after it has expired', async () => {
    const one = setUp([sampleRecording({ url: '/old', until: 1_000_000 + 10_000_000 }), sampleRecording({ url: '/new' })]);
    await one.open();
    one.listenTo(12);
    one.engine.pause();
    one.listenTo(12, 20_000);
    one.engine.play();
    await one.settled();
    expect(one.sound).toMatchObject({ url: '/new', at: 12, playing: true });
  });

  it('gives up after three failures in a row, and tries again when asked', async () => {
    const one = setUp();
    await one.open();
    one.listenTo(41);
    for (let i = 0; i < 3; i++) {
      one.heard().failed();
      await one.settled();
    }
    expect(one.state()).toMatchObject({ stage: 'failed', failure: 'broken' });
    one.engine.retry();
    await one.settled();
    expect(one.sound).toMatchObject({ at: 41, playing: true });
  });
});

describe('a failure', () => {
  it.each([
    [401, 'login'],
    [403, 'upgrade'],
    [404, 'missing'],
    [500, 'broken'],
    [0, 'offline'],
  ])('an answer of %i is %s', async (status, failure) => {
    const one = setUp([failed(status)]);
    await one.open();
    expect(one.state()).toMatchObject({ stage: 'failed', failure });
  });

  it('waits for the connection and goes on by itself', async () => {
    const one = setUp();
    await one.open();
    one.listenTo(30);
    one.online(false);
    one.heard().failed();
    expect(one.phase()).toBe('buffering');
    expect(one.state().offline).toBe(true);
    expect(one.asked).toHaveLength(1);
    one.online(true);
    one.engine.online();
    await one.settled();
    expect(one.asked).toHaveLength(2);
    expect(one.sound).toMatchObject({ at: 30, playing: true });
    expect(one.state().offline).toBe(false);
  });

  it('opens a book when the connection is back', async () => {
    const one = setUp([failed(0), sampleRecording()]);
    await one.open();
    one.engine.online();
    await one.settled();
    expect(one.state().stage).toBe('ready');
    expect(one.sound.playing).toBe(true);
  });

  it('of a silent opening is not shown', async () => {
    const one = setUp([failed(401)]);
    await one.open({ at: 3, silent: true });
    expect(one.closed()).toBe(true);
  });
});

describe('a session', () => {
  const part = (bookId: number, section: number) => ({
    bookId,
    subid: `book-${bookId}`,
    section,
    sections: 3,
    idea: `Idea ${section}`,
    bookTitle: `Book ${bookId}`,
    author: 'Ada Writer',
    image: null,
    from: 0,
    to: 30,
  });

  it('reports each part that is heard to its end, and none that is skipped', async () => {
    const player = setUp();
    const { engine, heardParts, settled, heard } = player;
    engine.open(sampleTrack({ bookId: null, subid: 'session', parts: [part(1, 0), part(2, 4), part(3, 1)] }), {});
    await settled();
    heard().playing();
    player.listenTo(9.5);
    player.listenTo(10);
    expect(heardParts).toEqual([0]);
    engine.step(1);
    player.listenTo(60);
    player.listenTo(60.5);
    expect(heardParts).toEqual([0]);
    heard().ended();
    expect(heardParts).toEqual([0, 2]);
  });

  it('is another one when it has other parts', async () => {
    const { engine, asked, settled } = setUp();
    const session = (...parts: ReturnType<typeof part>[]) => sampleTrack({ bookId: null, subid: 'session', parts });
    engine.open(session(part(1, 0)), {});
    await settled();
    engine.open(session(part(1, 0)), {});
    await settled();
    expect(asked).toHaveLength(1);
    engine.open(session(part(1, 1)), {});
    await settled();
    expect(asked).toHaveLength(2);
  });
});
