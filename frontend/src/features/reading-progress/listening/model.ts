// The player's state as pure functions: position, section, and the reducer of events (reading-progress.position-saves). The
// engine applies it to an audio element.
import type { Chapter, Failure, Listening, Mark, SessionPart, Sleep, Start, Track } from '@/shared/listening/listening';
import { NEAR, lastBegun } from '@/shared/listening/marks';
import type { Source } from '@/features/reading-progress/listening/sound';

/** Slowest, fastest, and the step between speeds (reading-progress.audio-speeds). */
export const SLOWEST = 0.5;
export const FASTEST = 2;
export const SPEED_STEP = 0.25;
/** Seconds per skip back or forward. */
export const SKIP = 15;
/** The choices of the sleep timer, in minutes. */
export const SLEEP_MINUTES = [5, 10, 15, 30, 45, 60] as const;
/** Milliseconds over which the sound fades out before the sleep timer pauses it. */
export const FADE = 8000;
/** Seconds into a section after which 'previous' means the beginning of the same section. */
const FAR_IN = 4;
/** A position within this many seconds of the end restarts the recording. */
const OVER = 3;

/** A recording, as the server returns it; of a session, the parts of its books' recordings in the order in which they are played. */
export interface Recording extends Source {
  seconds: number;
  /** When its presigned URL expires, in milliseconds since the epoch. */
  until: number;
  chapters: readonly Chapter[];
  marks: readonly Mark[];
}

export type Event =
  | { type: 'opened'; track: Track; rate: number; muted: boolean; wanted: boolean }
  | { type: 'loaded'; recording: Recording; at: number }
  | { type: 'failed'; failure: Failure }
  | { type: 'play' }
  | { type: 'pause' }
  /** The element buffers, or has data again. */
  | { type: 'waiting'; waiting: boolean }
  | { type: 'offline'; offline: boolean }
  /** The element's time in seconds, and the milliseconds of listening since the last such event. */
  | { type: 'time'; at: number; elapsed: number }
  | { type: 'length'; seconds: number }
  | { type: 'seek'; to: number }
  | { type: 'ended' }
  | { type: 'rate'; rate: number }
  | { type: 'muted'; muted: boolean }
  | { type: 'sleep'; sleep: { minutes: number } | 'section' | null };

/** 1, 1.25, … 2, then 0.5, … (reading-progress.audio-speeds). */
export const nextSpeed = (rate: number): number => (rate + SPEED_STEP > FASTEST ? SLOWEST : rate + SPEED_STEP);

/** All speeds, slowest first. */
export const SPEEDS: readonly number[] = Array.from({ length: (FASTEST - SLOWEST) / SPEED_STEP + 1 }, (_, i) => SLOWEST + i * SPEED_STEP);

/** The next slower or faster speed; the same at the ends of the range. */
export const steppedSpeed = (rate: number, by: -1 | 1): number => Math.min(FASTEST, Math.max(SLOWEST, rate + by * SPEED_STEP));

export const isSpeed = (rate: number): boolean => rate >= SLOWEST && rate <= FASTEST && Number.isInteger(rate / SPEED_STEP);

/** The index of the chapter being played; -1 when the recording has no times. */
export const chapterAt = (chapters: readonly Chapter[], at: number): number => lastBegun(chapters, at);

/** The second at which a chapter ends: where the next one begins, or the recording ends. */
export function chapterEnd(chapters: readonly Chapter[], index: number, seconds: number): number {
  for (const chapter of chapters.slice(index + 1)) if (chapter.at !== null) return chapter.at;
  return seconds;
}

/** The section being played; null when the recording has no times. */
export const sectionAt = (chapters: readonly Chapter[], at: number): number | null => chapters[lastBegun(chapters, at)]?.section ?? null;

/** The part of a session that plays; null when something else does. */
export const heardPart = (now: Listening | null): SessionPart | null => now?.track.parts?.[chapterAt(now.chapters, now.at)] ?? null;

/** The player's phase, for its buttons and announcements. */
export type Phase = 'loading' | 'playing' | 'paused' | 'stopped' | 'buffering' | 'failed';
export function phaseOf({ stage, wanted, waiting, ended }: Listening): Phase {
  if (stage === 'failed') return 'failed';
  if (stage === 'opening') return 'loading';
  if (!wanted) return ended ? 'stopped' : 'paused';
  return waiting ? 'buffering' : 'playing';
}

/** The remaining seconds at the current speed. */
export const timeLeft = ({ at, seconds, rate }: Pick<Listening, 'at' | 'seconds' | 'rate'>): number => Math.max(0, seconds - at) / rate;

/**
 * Where playback begins, in seconds: at the requested time; at the saved position, if that lies in the section that the reader
 * shows, or after it and the member has not navigated there by hand; otherwise at the beginning of that section.
 * So a reader is never moved back.
 */
export function startOf(recording: Recording, { at, saved, section, chosen = false }: Start): number {
  const { chapters, seconds } = recording;
  // A recording of unknown length begins at any saved position.
  const within = (moment: number) => (moment >= 0 && (seconds === 0 || moment < seconds - OVER) ? moment : 0);
  if (at !== undefined) return within(at);
  const shown = chapters.find((chapter) => chapter.section === section);
  if (saved !== null && saved !== undefined && saved > 0) {
    if (!shown || shown.at === null) return within(saved);
    if (sectionAt(chapters, saved) === section || (!chosen && saved > shown.at)) return within(saved);
  }
  return shown?.at ?? 0;
}

/** The target of a step, in seconds; null when there is nothing to step by. */
export function stepFrom({ chapters, marks, at }: Pick<Listening, 'chapters' | 'marks' | 'at'>, by: -1 | 1, what: 'section' | 'paragraph'): number | null {
  const all: readonly { at: number | null }[] = what === 'section' ? chapters : marks;
  const here = lastBegun(all, at);
  if (by === 1) return all.slice(here + 1).find((one) => one.at !== null)?.at ?? null;
  const begun = all[here]?.at;
  if (begun === undefined || begun === null) return null;
  const far = what === 'section' ? FAR_IN : 1;
  if (at - begun > far || here === 0) return begun;
  return all[here - 1]?.at ?? 0;
}

const clamp = (at: number, seconds: number) => Math.min(Math.max(0, at), seconds > 0 ? seconds : Math.max(0, at));

const startSleep = (state: Listening, sleep: { minutes: number } | 'section' | null): Sleep | null => {
  if (sleep === null) return null;
  if (sleep !== 'section') return { kind: 'minutes', minutes: sleep.minutes, left: sleep.minutes * 60_000 };
  const section = lastBegun(state.chapters, state.at);
  return section < 0 ? null : { kind: 'section', section };
};

/** Milliseconds until the sleep timer pauses playback; null when it is not set. */
export function sleepLeft({ sleep, chapters, seconds, at, rate }: Listening): number | null {
  if (!sleep) return null;
  if (sleep.kind === 'minutes') return sleep.left;
  return Math.max(0, (chapterEnd(chapters, sleep.section, seconds) - at) / rate) * 1000;
}

/** The volume, 0 to 1: full, until the sleep timer fades it out. */
export function loudness(state: Listening): number {
  const left = sleepLeft(state);
  return left === null ? 1 : Math.min(1, Math.max(0, left / FADE));
}

function onTime(state: Listening, at: number, elapsed: number): Listening {
  const moved = { ...state, at, waiting: false, offline: false };
  if (!state.wanted) return { ...moved, waiting: state.waiting };
  const { sleep } = state;
  if (sleep?.kind === 'minutes') {
    const left = sleep.left - elapsed;
    return left > 0 ? { ...moved, sleep: { ...sleep, left } } : { ...moved, wanted: false, sleep: null };
  }
  if (sleep?.kind !== 'section') return moved;
  const end = chapterEnd(state.chapters, sleep.section, state.seconds);
  // The last section ends with the recording, which stops by itself: stopped earlier, it would not count as completed.
  return end < state.seconds && at >= end - NEAR ? { ...moved, wanted: false, sleep: null } : moved;
}

/** The reducer: the state after an event. Only 'opened' works on a null state. */
export function reduce(state: Listening | null, event: Event): Listening | null {
  if (event.type === 'opened') {
    const { track, rate, muted, wanted } = event;
    return {
      track,
      stage: 'opening',
      failure: null,
      wanted,
      waiting: false,
      offline: false,
      ended: false,
      at: 0,
      seconds: 0,
      chapters: [],
      marks: [],
      rate,
      muted,
      sleep: state?.sleep?.kind === 'minutes' ? state.sleep : null,
    };
  }
  if (!state) return null;
  switch (event.type) {
    case 'loaded': {
      const { seconds, chapters, marks } = event.recording;
      return { ...state, stage: 'ready', failure: null, seconds, chapters, marks, at: clamp(event.at, seconds), waiting: state.wanted };
    }
    case 'failed':
      return { ...state, stage: 'failed', failure: event.failure, wanted: false, waiting: false };
    case 'play':
      return { ...state, wanted: true, ended: false };
    case 'pause':
      return { ...state, wanted: false, waiting: false };
    case 'waiting':
      return { ...state, waiting: event.waiting && state.wanted };
    case 'offline':
      return { ...state, offline: event.offline };
    case 'time':
      return onTime(state, event.at, event.elapsed);
    case 'length':
      return state.seconds > 0 ? state : { ...state, seconds: event.seconds };
    case 'seek': {
      const at = clamp(event.to, state.seconds);
      // 'The end of this section' moves along with a seek to another section.
      const section = lastBegun(state.chapters, at);
      return { ...state, at, ended: false, sleep: state.sleep?.kind === 'section' ? { kind: 'section', section: Math.max(0, section) } : state.sleep };
    }
    case 'ended':
      return { ...state, at: 0, wanted: false, waiting: false, ended: true, sleep: null };
    case 'rate':
      return { ...state, rate: event.rate };
    case 'muted':
      return { ...state, muted: event.muted };
    case 'sleep':
      return { ...state, sleep: startSleep(state, event.sleep) };
  }
}
