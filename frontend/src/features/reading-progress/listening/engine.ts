// The player's engine: turns events into state with the reducer in model.ts, and applies the state to the audio element,
// the server and the system. One instance for the whole app, outside of React, so that it survives navigation.
import { ApiError, isRetryable } from '@/api/errors';
import { isSameTrack } from '@/shared/listening/listening';
import type { Failure, Listening, Player, Start, Track } from '@/shared/listening/listening';
import { isSpeed, loudness, nextSpeed, phaseOf, reduce, sectionAt, startOf, stepFrom, steppedSpeed } from '@/features/reading-progress/listening/model';
import type { Event, Recording } from '@/features/reading-progress/listening/model';
import type { Sound, SoundEvents } from '@/features/reading-progress/listening/sound';

/** Interval of saves while it plays, in milliseconds. */
export const SAVE_EVERY = 15_000;
/** Debounce time of a save after a seek, in milliseconds. */
export const SETTLED = 1000;
/** How long before a presigned URL expires it is renewed, in milliseconds. */
export const RENEW_BEFORE = 120_000;
/** Minimum interval between renewals, in milliseconds, in case a clock is wrong. */
const RENEW_EVERY = 30_000;
/** Positions that differ by more than this many seconds count as different. */
const ELSEWHERE = 1;
/** Consecutive failures after which the recording counts as broken. */
const PATIENCE = 3;
/** Gap between clock ticks, in milliseconds, beyond which the machine must have slept and nobody was listening. */
const LAPSE = 5 * 60_000;

/** A member's or visitor's position in a recording. */
export interface ListeningPosition {
  track: Track;
  /** Seconds. */
  at: number;
  /** The section being played; null when the recording has no times. */
  section: number | null;
  /** Whether it was played to the end. */
  completed: boolean;
}

export interface EngineDependencies {
  sound: (events: SoundEvents) => Sound;
  recordingOf: (track: Track) => Promise<Recording>;
  save: (position: ListeningPosition) => void;
  /** A part of a session was heard to its end. */
  heard: (track: Track, part: number) => void;
  publish: (state: Listening | null) => void;
  now: () => number;
  online: () => boolean;
  settings: { rate: () => number; setRate: (rate: number) => void };
  /** Playback has started in this tab: pauses the other tabs. */
  onPlay: () => void;
}

const failureOf = (error: unknown, online: boolean): Failure => {
  if (!(error instanceof ApiError)) return 'broken';
  if (error.status === 0) return 'offline';
  if (error.status === 401) return 'login';
  if (error.status === 403) return 'upgrade';
  if (error.status === 404) return 'missing';
  return online ? 'broken' : 'offline';
};

export interface Engine extends Player {
  /** The connection is back. */
  online: () => void;
  offline: () => void;
  /** The page is being left. */
  leave: () => void;
}

export function createEngine(deps: EngineDependencies): Engine {
  let state: Listening | null = null;
  let recording: Recording | null = null;
  let start: Start = {};
  /** Counts how often a recording was opened, so that responses for an earlier one are ignored. */
  let visit = 0;
  let renewing = false;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let lastTick: number | null = null;
  let lastSaved = 0;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let firstPlay = true;
  /** Whether the position has changed since the last save; if not, another device's position may be newer. */
  let unkept = false;

  const sound = deps.sound({
    time(at) {
      const now = deps.now();
      const elapsed = lastTick === null || now - lastTick > LAPSE ? 0 : now - lastTick;
      lastTick = now;
      if (state?.wanted && elapsed > 0) failures = 0;
      if (state?.wanted) unkept = true;
      const before = state;
      dispatch({ type: 'time', at, elapsed });
      if (before && state) hear(before, state);
      if (!state?.wanted) return;
      if (now - lastSaved >= SAVE_EVERY) save();
      if (recording && now > recording.until - RENEW_BEFORE && now - renewedAt > RENEW_EVERY) void renew();
    },
    playing() {
      lastTick = deps.now();
      dispatch({ type: 'waiting', waiting: false });
      if (!firstPlay) return;
      firstPlay = false;
      unkept = true; // the first play saves (reading-progress.position-saves)
      save();
    },
    waiting() {
      lastTick = null;
      dispatch({ type: 'waiting', waiting: true });
      if (!deps.online()) dispatch({ type: 'offline', offline: true });
    },
    pausedOutside: () => dispatch({ type: 'pause' }),
    startedOutside: () => dispatch({ type: 'play' }),
    refused: () => dispatch({ type: 'pause' }),
    length: (seconds) => dispatch({ type: 'length', seconds }),
    ended() {
      if (!state) return;
      const { track, chapters } = state;
      if (track.parts) deps.heard(track, track.parts.length - 1);
      dispatch({ type: 'ended' });
      sound.seek(0);
      lastSaved = deps.now();
      unkept = false;
      deps.save({ track, at: 0, section: chapters.at(-1)?.section ?? null, completed: true });
    },
    failed() {
      if (!state || state.stage !== 'ready') return;
      if (!deps.online()) {
        dispatch({ type: 'waiting', waiting: true });
        dispatch({ type: 'offline', offline: true });
        return;
      }
      failures += 1;
      if (failures >= PATIENCE) dispatch({ type: 'failed', failure: 'broken' });
      else void renew(true);
    },
  });

  function dispatch(event: Event): void {
    const before = state;
    state = reduce(before, event);
    if (state === before) return;
    if (state) follow(before, state);
    deps.publish(state);
  }

  /** Applies the state to the audio element. */
  function follow(before: Listening | null, now: Listening): void {
    if (!before || before.rate !== now.rate) sound.setRate(now.rate);
    if (!before || before.muted !== now.muted) sound.setMuted(now.muted);
    if (!before || loudness(before) !== loudness(now)) sound.setVolume(loudness(now));
    const sounds = now.stage === 'ready' && now.wanted;
    const sounded = before?.stage === 'ready' && before.wanted;
    if (sounds && !sounded) {
      lastTick = null;
      sound.play();
      deps.onPlay();
    }
    if (!sounds && sounded) {
      sound.pause();
      lastTick = null;
      if (!now.ended) save();
    }
    if (sounds && before && sectionAt(before.chapters, before.at) !== sectionAt(now.chapters, now.at) && before.stage === 'ready') save();
  }

  /** Reports the part of a session at whose end the time has just passed: one that was skipped was not heard. */
  function hear(before: Listening, now: Listening): void {
    const part = sectionAt(before.chapters, before.at);
    if (now.track.parts && part !== null && sectionAt(now.chapters, now.at) === part + 1) deps.heard(now.track, part);
  }

  /** Saves the position, if it has changed since the last save. */
  function save(): void {
    clearTimeout(settling);
    if (!state || state.stage !== 'ready' || firstPlay || !unkept) return;
    unkept = false;
    lastSaved = deps.now();
    deps.save({ track: state.track, at: state.at, section: sectionAt(state.chapters, state.at), completed: false });
  }

  async function fetchRecording(): Promise<void> {
    if (!state) return;
    const mine = ++visit;
    const { track } = state;
    try {
      const got = await deps.recordingOf(track);
      if (mine !== visit) return;
      recording = got;
      failures = 0;
      const at = startOf(got, start);
      sound.load(got, at);
      dispatch({ type: 'loaded', recording: got, at });
    } catch (error) {
      if (mine !== visit) return;
      // The failure of a silent opening is not shown.
      if (start.silent) engine.close();
      else dispatch({ type: 'failed', failure: failureOf(error, deps.online()) });
    }
  }

  /** Renews the recording's URL. `broken`: the old URL has failed, so playback stops until then. */
  async function renew(broken = false): Promise<void> {
    if (renewing || !state) return;
    renewing = true;
    if (!broken) renewedAt = deps.now();
    const mine = visit;
    try {
      const got = await deps.recordingOf(state.track);
      if (mine !== visit) return;
      const at = sound.at() || state.at;
      recording = got;
      if (broken) {
        sound.load(got, at);
        if (state.wanted) sound.play();
      } else {
        sound.swap(got);
      }
    } catch (error) {
      if (mine !== visit) return;
      // The old URL still works; the renewal is retried later.
      const refused = !isRetryable(error) || (error instanceof ApiError && error.notLoggedIn);
      if (broken || refused) dispatch({ type: 'failed', failure: failureOf(error, deps.online()) });
    } finally {
      renewing = false;
    }
  }

  function seek(to: number): void {
    if (!state || state.stage !== 'ready') return;
    unkept = true;
    dispatch({ type: 'seek', to });
    sound.seek(state.at);
    lastTick = null;
    clearTimeout(settling);
    settling = setTimeout(save, SETTLED);
  }

  function play(): void {
    if (!state) return;
    if (state.stage === 'failed') {
      engine.retry();
      return;
    }
    const late = recording !== null && deps.now() > recording.until;
    dispatch({ type: 'play' });
    if (late) void renew(true);
  }

  const engine: Engine = {
    open(track, from) {
      const same = state && isSameTrack(state.track, track) && state.stage === 'ready';
      if (same && state && recording) {
        // It is already open: seeks to an exact time; otherwise continues at its position, or at another device's later one.
        const elsewhere = from.saved !== undefined && from.saved !== null && Math.abs(from.saved - state.at) > ELSEWHERE;
        if (from.at !== undefined) seek(from.at);
        else if (elsewhere && !state.wanted && !unkept) seek(startOf(recording, from));
        else if (from.chosen === true && from.section !== undefined && !state.wanted && sectionAt(state.chapters, state.at) !== from.section) {
          seek(startOf(recording, { section: from.section }));
        }
        if (!from.silent) play();
        return;
      }
      save();
      sound.unload();
      recording = null;
      start = from;
      firstPlay = true;
      unkept = false;
      const rate = deps.settings.rate();
      dispatch({ type: 'opened', track, rate: isSpeed(rate) ? rate : 1, muted: state?.muted ?? false, wanted: !from.silent });
      void fetchRecording();
    },
    play,
    pause: () => dispatch({ type: 'pause' }),
    toggle() {
      if (state?.wanted) dispatch({ type: 'pause' });
      else play();
    },
    seek,
    skip(by) {
      if (state) seek(state.at + by);
    },
    step(by, what = 'section') {
      const to = state && stepFrom(state, by, what);
      if (to !== null) seek(to);
    },
    cycleSpeed() {
      if (state) engine.setSpeed(nextSpeed(state.rate));
    },
    setSpeed(rate) {
      if (!isSpeed(rate)) return;
      deps.settings.setRate(rate);
      dispatch({ type: 'rate', rate });
    },
    stepSpeed(by) {
      if (state) engine.setSpeed(steppedSpeed(state.rate, by));
    },
    toggleMute() {
      if (state) dispatch({ type: 'muted', muted: !state.muted });
    },
    setSleep(sleep) {
      dispatch({ type: 'sleep', sleep });
    },
    retry() {
      if (!state) return;
      const { track, at } = state;
      failures = 0;
      start = at > 0 ? { at } : { ...start, silent: false };
      dispatch({ type: 'opened', track, rate: state.rate, muted: state.muted, wanted: true });
      void fetchRecording();
    },
    close() {
      save();
      visit += 1;
      state = null;
      recording = null;
      sound.unload();
      deps.publish(null);
    },
    online() {
      if (!state) return;
      const { offline, stage, failure } = state;
      dispatch({ type: 'offline', offline: false });
      if (stage === 'failed' && failure === 'offline') engine.retry();
      else if (stage === 'ready' && offline) void renew(true);
    },
    offline() {
      if (state && phaseOf(state) === 'buffering') dispatch({ type: 'offline', offline: true });
    },
    leave: save,
  };
  return engine;
}
