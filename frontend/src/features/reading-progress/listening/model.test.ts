import { describe, expect, it } from 'vitest';
import type { Listening } from '@/shared/listening/listening';
import { lastBegun } from '@/shared/listening/marks';
import {
  FADE,
  SLEEP_MINUTES,
  SKIP,
  SPEEDS,
  chapterAt,
  chapterEnd,
  isSpeed,
  loudness,
  nextSpeed,
  phaseOf,
  reduce,
  sectionAt,
  sleepLeft,
  startOf,
  stepFrom,
  steppedSpeed,
  timeLeft,
} from '@/features/reading-progress/listening/model';
import type { Event } from '@/features/reading-progress/listening/model';
import { sampleRecording, sampleTrack } from '@test/listening';

const recording = sampleRecording();
const { chapters, marks } = recording;

/** The state after these events, starting from the sample recording playing at `at`. */
function after(at: number, ...events: Event[]): Listening {
  const all: Event[] = [
    { type: 'opened', track: sampleTrack(), rate: 1, muted: false, wanted: true },
    { type: 'loaded', recording, at },
    { type: 'waiting', waiting: false },
    ...events,
  ];
  const state = all.reduce<Listening | null>(reduce, null);
  if (!state) throw new Error('There is a state.');
  return state;
}
const time = (at: number, elapsed = 250): Event => ({ type: 'time', at, elapsed });

it('has the numbers of the specification', () => {
  const cycle = [1];
  for (let i = 0; i < 7; i++) cycle.push(nextSpeed(cycle.at(-1) ?? 0));
  expect(cycle).toEqual([1, 1.25, 1.5, 1.75, 2, 0.5, 0.75, 1]);
  expect(SPEEDS).toEqual([0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]);
  expect([steppedSpeed(1, -1), steppedSpeed(0.5, -1), steppedSpeed(2, 1)]).toEqual([0.75, 0.5, 2]);
  expect(SKIP).toBe(15);
  expect(SLEEP_MINUTES).toEqual([5, 10, 15, 30, 45, 60]);
  expect([0.5, 1.25, 2].every(isSpeed)).toBe(true);
  expect([0.25, 1.1, 2.25, Number.NaN].some(isSpeed)).toBe(false);
});

describe('where one is', () => {
  it('is the last section and paragraph that has begun', () => {
    expect([0, 9.8, 10, 29, 60, 89].map((at) => sectionAt(chapters, at))).toEqual([0, 0, 1, 1, 2, 2]);
    expect([0, 1.8, 2, 6, 9.8].map((at) => lastBegun(marks, at))).toEqual([0, 0, 1, 2, 2]);
    expect(chapterEnd(chapters, 1, 90)).toBe(60);
    expect(chapterEnd(chapters, 2, 90)).toBe(90);
  });

  it('is nowhere when the recording does not say', () => {
    expect(chapterAt([], 5)).toBe(-1);
    expect(sectionAt([{ section: 0, title: 'One', at: null }], 5)).toBeNull();
    expect(lastBegun([], 5)).toBe(-1);
  });

  it('allows for a browser that lands a little early', () => {
    expect(sectionAt(chapters, 59.9)).toBe(2);
    expect(sectionAt(chapters, 59.5)).toBe(1);
  });
});

describe('where listening begins', () => {
  it('is exactly where it was asked to', () => {
    expect(startOf(recording, { at: 33, saved: 12, section: 0 })).toBe(33);
  });

  it('is where it was left off, in the section that is shown', () => {
    expect(startOf(recording, { saved: 25, section: 1 })).toBe(25);
  });

  it('is the beginning of the section that is shown, when it was left off before it, or that section was chosen', () => {
    expect(startOf(recording, { saved: 25, section: 2 })).toBe(60);
    expect(startOf(recording, { saved: 70, section: 1, chosen: true })).toBe(10);
    expect(startOf(recording, { section: 1 })).toBe(10);
  });

  it('is where it was left off, when that is further on than what the reader happens to show', () => {
    expect(startOf(recording, { saved: 70, section: 0 })).toBe(70);
  });

  it('is where it was left off, when no section is shown or the recording has none', () => {
    expect(startOf(recording, { saved: 25 })).toBe(25);
    expect(startOf({ ...recording, chapters: [] }, { saved: 25, section: 2 })).toBe(25);
  });

  it('is the start when what was left is the end', () => {
    expect(startOf(recording, { saved: 89 })).toBe(0);
    expect(startOf(recording, { at: 400 })).toBe(0);
    expect(startOf(recording, {})).toBe(0);
  });
});

describe('stepping', () => {
  it('goes to the next section, and back to the beginning of this one before the previous', () => {
    expect(stepFrom(after(20), 1, 'section')).toBe(60);
    expect(stepFrom(after(70), 1, 'section')).toBeNull();
    expect(stepFrom(after(20), -1, 'section')).toBe(10);
    expect(stepFrom(after(11), -1, 'section')).toBe(0);
    expect(stepFrom(after(2), -1, 'section')).toBe(0);
  });

  it('goes by paragraphs where they are marked', () => {
    expect(stepFrom(after(3), 1, 'paragraph')).toBe(6);
    expect(stepFrom(after(6.5), -1, 'paragraph')).toBe(2);
    expect(stepFrom(after(9), -1, 'paragraph')).toBe(6);
    expect(stepFrom({ ...after(9), marks: [] }, 1, 'paragraph')).toBeNull();
  });
});

describe('playing', () => {
  it('is paused, playing, buffering, and stopped at the end, which resets to 0', () => {
    const opened = reduce(null, { type: 'opened', track: sampleTrack(), rate: 1, muted: false, wanted: true });
    expect(opened && phaseOf(opened)).toBe('loading');
    expect(phaseOf(after(0))).toBe('playing');
    expect(phaseOf(after(0, { type: 'waiting', waiting: true }))).toBe('buffering');
    expect(phaseOf(after(0, { type: 'waiting', waiting: true }, time(0.2)))).toBe('playing');
    expect(phaseOf(after(0, { type: 'pause' }))).toBe('paused');
    const ended = after(80, { type: 'ended' });
    expect(phaseOf(ended)).toBe('stopped');
    expect(ended.at).toBe(0);
    expect(phaseOf(after(80, { type: 'ended' }, { type: 'play' }))).toBe('playing');
    expect(phaseOf(after(80, { type: 'failed', failure: 'broken' }))).toBe('failed');
  });

  it('seeks within the recording', () => {
    expect(after(5, { type: 'seek', to: 300 }).at).toBe(90);
    expect(after(5, { type: 'seek', to: -4 }).at).toBe(0);
  });

  it('tells the time left at the present speed', () => {
    expect(timeLeft(after(30, { type: 'rate', rate: 2 }))).toBe(30);
    expect(timeLeft(after(30, { type: 'rate', rate: 0.5 }))).toBe(120);
  });

  it('does nothing before something is opened', () => {
    expect(reduce(null, { type: 'play' })).toBeNull();
  });
});

describe('the sleep timer', () => {
  it('counts listening, not pauses, fades, and stops', () => {
    let state = after(0, { type: 'sleep', sleep: { minutes: 5 } });
    expect(sleepLeft(state)).toBe(300_000);
    state = reduce(state, time(60, 60_000)) ?? state;
    expect(sleepLeft(state)).toBe(240_000);
    expect(loudness(state)).toBe(1);
    state = reduce(reduce(state, { type: 'pause' }), time(60, 500_000)) ?? state;
    expect(sleepLeft(state)).toBe(240_000);
    state = reduce(reduce(state, { type: 'play' }), time(61, 240_000 - FADE / 2)) ?? state;
    expect(loudness(state)).toBe(0.5);
    state = reduce(state, time(65, FADE)) ?? state;
    expect(phaseOf(state)).toBe('paused');
    expect(state.sleep).toBeNull();
    expect(loudness(state)).toBe(1);
  });

  it('stops where the section ends, by the wall clock of the present speed', () => {
    let state = after(20, { type: 'rate', rate: 2 }, { type: 'sleep', sleep: 'section' });
    expect(sleepLeft(state)).toBe(20_000);
    state = reduce(state, time(52)) ?? state;
    expect(loudness(state)).toBe(0.5);
    state = reduce(state, time(60)) ?? state;
    expect(phaseOf(state)).toBe('paused');
    expect(state.at).toBe(60);
  });

  it('follows a seek to another section', () => {
    const state = after(20, { type: 'sleep', sleep: 'section' }, { type: 'seek', to: 65 });
    expect(sleepLeft(state)).toBe(25_000);
    expect(phaseOf(reduce(state, time(66)) ?? state)).toBe('playing');
  });

  it('lets the last section come to the end of the recording, which ends it too', () => {
    const near = reduce(after(70, { type: 'sleep', sleep: 'section' }), time(89.95)) ?? after(0);
    expect(phaseOf(near)).toBe('playing');
    expect(loudness(near)).toBeLessThan(0.05);
    const ended = reduce(near, { type: 'ended' });
    expect(ended).toMatchObject({ wanted: false, ended: true, sleep: null });
  });

  it('does not offer the end of an unknown section', () => {
    const state = { ...after(20), chapters: [] };
    expect(reduce(state, { type: 'sleep', sleep: 'section' })?.sleep).toBeNull();
  });

  it('can be cancelled', () => {
    expect(after(20, { type: 'sleep', sleep: { minutes: 5 } }, { type: 'sleep', sleep: null }).sleep).toBeNull();
  });
});
