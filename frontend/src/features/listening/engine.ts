// The player: says to the pure rules what happens, and lets the sound, the server and the system follow what they make
// of it. One for the whole app, outside of React, so that a navigation does not touch it.
import { ApiError, isRetryable } from '@/api/errors';
import type { Failure, Listening, Player, Start, Track } from '@/domain/listening';
import { isSpeed, loudness, nextSpeed, phaseOf, reduce, sectionAt, startOf, stepFrom } from '@/features/listening/model';
import type { Event, Recording } from '@/features/listening/model';
import type { Sound, SoundEvents } from '@/features/listening/sound';

/** While it plays, its place is kept this often, in milliseconds. */
export const SAVE_EVERY = 15_000;
/** A jump counts once it has been let stand for so many milliseconds. */
export const SETTLED = 1000;
/** An address is asked for anew so many milliseconds before it ends. */
export const RENEW_BEFORE = 120_000;
/** And not more often than this, whatever the clocks say. */
const RENEW_EVERY = 30_000;
/** A place that differs by more seconds than this is another one. */
const ELSEWHERE = 1;
/** Failures in a row after which the recording counts as broken. */
const PATIENCE = 3;
/** Milliseconds between clock ticks beyond which the listener cannot have been listening: the machine slept. */
const LAPSE = 5 * 60_000;

/** Where a member or visitor is in a recording. */
export interface ListeningPosition {
  track: Track;
  /** Seconds. */
  at: number;
  /** The section that is heard; null where the recording does not say. */
  section: number | null;
  /** It was heard to the end. */
  completed: boolean;
}

export interface Surroundings {
  sound: (events: SoundEvents) => Sound;
  recordingOf: (subid: string) => Promise<Recording>;
  save: (position: ListeningPosition) => void;
  publish: (state: Listening | null) => void;
  now: () => number;
  online: () => boolean;
  settings: { rate: () => number; setRate: (rate: number) => void };
  /** It begins to play here: other tabs fall silent. */
  began: () => void;
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

export function createEngine(around: Surroundings): Engine {
  let state: Listening | null = null;
  let recording: Recording | null = null;
  let start: Start = {};
  /** Which opening an answer belongs to. */
  let visit = 0;
  let renewing = false;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let lastTick: number | null = null;
  let lastSaved = 0;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let firstPlay = true;
  /** Something was heard, or gone to, since the place was kept last: without that another device's place may be the newer one. */
  let unkept = false;

  const sound = around.sound({
    time(at) {
      const now = around.now();
      const elapsed = lastTick === null || now - lastTick > LAPSE ? 0 : now - lastTick;
      lastTick = now;
      if (state?.wanted && elapsed > 0) failures = 0;
      if (state?.wanted) unkept = true;
      dispatch({ type: 'time', at, elapsed });
      if (!state?.wanted) return;
      if (now - lastSaved >= SAVE_EVERY) save();
      if (recording && now > recording.until - RENEW_BEFORE && now - renewedAt > RENEW_EVERY) void renew();
    },
    playing() {
      lastTick = around.now();
      dispatch({ type: 'waiting', waiting: false });
      if (!firstPlay) return;
      firstPlay = false;
      unkept = true; // the first play saves (member.md §4)
      save();
    },
    waiting() {
      lastTick = null;
      dispatch({ type: 'waiting', waiting: true });
      if (!around.online()) dispatch({ type: 'offline', offline: true });
    },
    pausedOutside: () => dispatch({ type: 'pause' }),
    startedOutside: () => dispatch({ type: 'play' }),
    refused: () => dispatch({ type: 'pause' }),
    length: (seconds) => dispatch({ type: 'length', seconds }),
    ended() {
      if (!state) return;
      const { track, chapters } = state;
      dispatch({ type: 'ended' });
      sound.seek(0);
      lastSaved = around.now();
      unkept = false;
      around.save({ track, at: 0, section: chapters.at(-1)?.section ?? null, completed: true });
    },
    failed() {
      if (!state || state.stage !== 'ready') return;
      if (!around.online()) {
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
    around.publish(state);
  }

  /** Lets the sound be what the state says. */
  function follow(before: Listening | null, now: Listening): void {
    if (!before || before.rate !== now.rate) sound.setRate(now.rate);
    if (!before || before.muted !== now.muted) sound.setMuted(now.muted);
    if (!before || loudness(before) !== loudness(now)) sound.setVolume(loudness(now));
    const sounds = now.stage === 'ready' && now.wanted;
    const sounded = before?.stage === 'ready' && before.wanted;
    if (sounds && !sounded) {
      lastTick = null;
      sound.play();
      around.began();
    }
    if (!sounds && sounded) {
      sound.pause();
      lastTick = null;
      if (!now.ended) save();
    }
    if (sounds && before && sectionAt(before.chapters, before.at) !== sectionAt(now.chapters, now.at) && before.stage === 'ready') save();
  }

  /** Keeps the place. A player that was only shown, or in which nothing has happened since, has none worth keeping. */
  function save(): void {
    clearTimeout(settling);
    if (!state || state.stage !== 'ready' || firstPlay || !unkept) return;
    unkept = false;
    lastSaved = around.now();
    around.save({ track: state.track, at: state.at, section: sectionAt(state.chapters, state.at), completed: false });
  }

  async function fetchRecording(): Promise<void> {
    if (!state) return;
    const mine = ++visit;
    const { subid } = state.track;
    try {
      const got = await around.recordingOf(subid);
      if (mine !== visit) return;
      recording = got;
      failures = 0;
      const at = startOf(got, start);
      sound.load(got.url, at);
      dispatch({ type: 'loaded', recording: got, at });
    } catch (error) {
      if (mine !== visit) return;
      // What nobody asked for need not be explained.
      if (start.silent) engine.close();
      else dispatch({ type: 'failed', failure: failureOf(error, around.online()) });
    }
  }

  /** A new address for the same recording. `broken`: the old one has failed, so it can't bridge the time until then. */
  async function renew(broken = false): Promise<void> {
    if (renewing || !state) return;
    renewing = true;
    if (!broken) renewedAt = around.now();
    const mine = visit;
    try {
      const got = await around.recordingOf(state.track.subid);
      if (mine !== visit) return;
      const at = sound.at() || state.at;
      recording = got;
      if (broken) {
        sound.load(got.url, at);
        if (state.wanted) sound.play();
      } else {
        sound.swap(got.url);
      }
    } catch (error) {
      if (mine !== visit) return;
      // What is still good plays on, and it is asked for again a little later.
      const refused = !isRetryable(error) || (error instanceof ApiError && error.notLoggedIn);
      if (broken || refused) dispatch({ type: 'failed', failure: failureOf(error, around.online()) });
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
    const late = recording !== null && around.now() > recording.until;
    dispatch({ type: 'play' });
    if (late) void renew(true);
  }

  const engine: Engine = {
    open(track, from) {
      const same = state?.track.bookId === track.bookId && state.stage === 'ready';
      if (same && state && recording) {
        // It is at hand: an exact moment is gone to, and otherwise it plays on where it is, or where another device has
        // left off since.
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
      const rate = around.settings.rate();
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
      around.settings.setRate(rate);
      dispatch({ type: 'rate', rate });
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
      around.publish(null);
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

