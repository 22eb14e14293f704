// The audio element behind a small interface: commands from the engine, events to the engine.

export interface SoundEvents {
  /** The current time has changed, in seconds. */
  time: (at: number) => void;
  playing: () => void;
  /** Buffering: it should play and has no data. */
  waiting: () => void;
  /** Something outside of the page has paused or resumed it. */
  pausedOutside: () => void;
  startedOutside: () => void;
  /** The recording's length is known, in seconds. */
  length: (seconds: number) => void;
  ended: () => void;
  /** The recording can't be fetched or played. */
  failed: () => void;
  /** The browser requires a user gesture before it plays. */
  refused: () => void;
}

/** What is played: a recording, or parts of several. */
export interface Source {
  url: string;
  /** Of a session; `url` is then unused. */
  parts?: readonly SourcePart[];
}

/** A part of a recording. */
export interface SourcePart {
  url: string;
  /** Where it begins and ends, in seconds. */
  from: number;
  to: number;
}

export interface Sound {
  /** Loads what is to be played and seeks to a time, in seconds. */
  load: (source: Source, at: number) => void;
  /** Switches to new URLs of the same, without a gap if the browser allows it. */
  swap: (source: Source) => void;
  play: () => void;
  pause: () => void;
  at: () => number;
  seek: (to: number) => void;
  setRate: (rate: number) => void;
  /** 0 to 1. */
  setVolume: (volume: number) => void;
  setMuted: (muted: boolean) => void;
  unload: () => void;
}

/** Maximum drift of the standby element, in seconds, before it is corrected; then it takes over. */
const APART = 0.06;
/** How often it is corrected; after that it takes over with its drift. */
const TRIES = 4;

/** Plays one recording. */
export function createSound(first: HTMLAudioElement, events: SoundEvents): Sound {
  let element = first;
  let stop = listenTo(element);
  // The seek to apply once the metadata is loaded.
  let sought: number | null = null;
  let standby: HTMLAudioElement | null = null;
  let wanted = false;

  function listenTo(heard: HTMLAudioElement): () => void {
    const controller = new AbortController();
    const on = (name: keyof HTMLMediaElementEventMap, act: () => void) => heard.addEventListener(name, act, { signal: controller.signal });
    on('timeupdate', () => {
      if (sought === null && !heard.seeking) events.time(heard.currentTime);
    });
    on('loadedmetadata', () => {
      if (Number.isFinite(heard.duration)) events.length(heard.duration);
      if (sought !== null) heard.currentTime = sought;
      sought = null;
    });
    on('playing', () => events.playing());
    on('waiting', () => events.waiting());
    on('ended', () => events.ended());
    on('error', () => {
      if (heard.getAttribute('src')) events.failed();
    });
    // The browser queues these events. By the time one is handled, the next call may have changed the element again:
    // such an event is caused by our own call, not by the system's controls.
    on('pause', () => {
      if (wanted && heard.paused && !heard.ended && heard.readyState > 0) events.pausedOutside();
    });
    on('play', () => {
      if (!wanted && !heard.paused) events.startedOutside();
    });
    return () => controller.abort();
  }

  const dropStandby = () => {
    standby?.removeAttribute('src');
    standby?.load();
    standby = null;
  };

  const set = (url: string, at: number) => {
    const { playbackRate } = element;
    sought = at > 0 ? at : null;
    element.src = url;
    // A new source would begin at the default speed.
    element.defaultPlaybackRate = playbackRate;
    element.playbackRate = playbackRate;
  };

  const start = (which: HTMLAudioElement) =>
    which.play().catch((error: unknown) => {
      // Any other failure has its own event, or follows a pause.
      if (error instanceof DOMException && error.name === 'NotAllowedError') events.refused();
    });

  return {
    load({ url }, at) {
      dropStandby();
      set(url, at);
    },
    swap({ url }) {
      if (!wanted || element.readyState === 0) {
        set(url, sought ?? element.currentTime);
        if (wanted) void start(element);
        return;
      }
      dropStandby();
      const next = document.createElement('audio');
      standby = next;
      next.preload = 'auto';
      next.hidden = true;
      next.volume = element.volume;
      next.muted = element.muted;
      next.defaultPlaybackRate = element.playbackRate;
      next.playbackRate = element.playbackRate;
      next.addEventListener('loadedmetadata', () => {
        next.currentTime = element.currentTime;
      });
      let tries = 0;
      const take = () => {
        if (standby !== next) return;
        if (Math.abs(next.currentTime - element.currentTime) > APART && tries < TRIES) {
          // It has data now, so this seek is short, while the active element plays on.
          tries += 1;
          next.addEventListener('seeked', take, { once: true });
          next.currentTime = element.currentTime + APART / 2;
          return;
        }
        standby = null;
        const old = element;
        next.volume = old.volume;
        next.muted = old.muted;
        next.playbackRate = old.playbackRate;
        stop();
        element = next;
        stop = listenTo(next);
        old.after(next);
        if (wanted) void start(next);
        old.pause();
        old.removeAttribute('src');
        old.load();
        old.remove();
      };
      next.addEventListener('canplaythrough', take, { once: true });
      next.addEventListener('error', () => {
        if (standby === next) standby = null;
      });
      next.src = url;
    },
    play() {
      wanted = true;
      void start(element);
    },
    pause() {
      wanted = false;
      element.pause();
    },
    at: () => sought ?? element.currentTime,
    seek(to) {
      if (element.readyState === 0) sought = to;
      else element.currentTime = to;
    },
    setRate(rate) {
      element.defaultPlaybackRate = rate;
      element.playbackRate = rate;
    },
    setVolume(volume) {
      element.volume = volume;
    },
    setMuted(muted) {
      element.muted = muted;
    },
    unload() {
      wanted = false;
      dropStandby();
      element.pause();
      element.removeAttribute('src');
      element.load();
    },
  };
}
