// What is being listened to, and the interface to the player. Every page loads this; the engine and its screens are
// a chunk of their own, loaded when a recording is opened (see `setPlayerLoader`).
import { useSyncExternalStore } from 'react';

/** What the player knows of a book, of an episode of the podcast, or of the podcast about a book, before it has the recording. */
export interface Track {
  /** Who listens, by id; null for a visitor, and where nothing depends on it. */
  member: number | null;
  /** Null: an episode, or the podcast about a book. */
  bookId: number | null;
  /** The book's or the episode's name in addresses. */
  subid: string;
  /** The podcast about the book of that name. Its place is remembered like an episode's. */
  isAboutBook?: boolean;
  /** The recording's public file and its length in seconds, where known; null: the server is asked for a book's. */
  file: { url: string; seconds: number | null } | null;
  title: string;
  author: string;
  image: string | null;
  /** The category's hue, in degrees. */
  hue: number;
  /** How many sections with text the book has. */
  sections: number;
}

type TrackName = Pick<Track, 'bookId' | 'subid' | 'isAboutBook'>;

/** Whether both are the same recording. */
export const isSameTrack = (one: TrackName, other: TrackName): boolean =>
  one.bookId === other.bookId && one.subid === other.subid && (one.isAboutBook ?? false) === (other.isAboutBook ?? false);

/** Whether it is an episode of the podcast, which has a page of its own. */
export const isEpisode = (track: TrackName): boolean => track.bookId === null && track.isAboutBook !== true;

/** Where a section begins. */
export interface Chapter {
  /** The section's place in the book, from 0. */
  section: number;
  title: string;
  /** Seconds; null where the recording does not say. */
  at: number | null;
}

/** Where a paragraph begins, or with `null` a section's heading. */
export interface Mark {
  section: number;
  /** Which block of the section's text, from 0. */
  paragraph: number | null;
  /** Seconds. */
  at: number;
}

/** Why nothing plays: a login or a plan is required; there is no recording; the network; the recording itself. */
export type Failure = 'login' | 'upgrade' | 'missing' | 'offline' | 'broken';

/** When playing stops by itself: after `left` more milliseconds of listening, or where a section ends. */
export type Sleep = { kind: 'minutes'; minutes: number; left: number } | { kind: 'section'; section: number };

export interface Listening {
  track: Track;
  stage: 'opening' | 'ready' | 'failed';
  failure: Failure | null;
  /** The listener wants it to play. */
  wanted: boolean;
  /** It buffers: it should play and has no data. */
  waiting: boolean;
  /** The browser has no connection. */
  offline: boolean;
  /** It has played to the end, which puts it back to the start. */
  ended: boolean;
  /** Seconds. */
  at: number;
  /** The recording's length in seconds. */
  seconds: number;
  chapters: readonly Chapter[];
  marks: readonly Mark[];
  rate: number;
  muted: boolean;
  sleep: Sleep | null;
}

/** Where to begin. The player decides what is left out. */
export interface Start {
  /** The section that the reader shows. */
  section?: number;
  /** The reader has gone to that section by hand: it begins there or goes on within it, and nowhere else. */
  chosen?: boolean;
  /** Seconds of listening that another visit left off at. */
  saved?: number | null;
  /** Exactly here, in seconds. */
  at?: number;
  /** Opens it without playing, as after a reload. */
  silent?: boolean;
}

/** The player's commands. */
export interface Player {
  open: (track: Track, start: Start) => void;
  play: () => void;
  pause: () => void;
  toggle: () => void;
  /** To a moment, in seconds. */
  seek: (to: number) => void;
  /** By so many seconds. */
  skip: (by: number) => void;
  /** To the next or the previous section, or with `paragraph` to the next or the previous one of those. */
  step: (by: -1 | 1, what?: 'section' | 'paragraph') => void;
  cycleSpeed: () => void;
  setSpeed: (rate: number) => void;
  /** To the next slower or faster speed, as far as there is one. */
  stepSpeed: (by: -1 | 1) => void;
  toggleMute: () => void;
  setSleep: (sleep: { minutes: number } | 'section' | null) => void;
  /** After a failure. */
  retry: () => void;
  close: () => void;
}

/** The section of the open book that the reader shows. The recording does not move it. */
export interface ReadingPlace {
  bookId: number;
  position: number;
}

let state: Listening | null = null;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** For the player: publishes its state. */
export const publish = (now: Listening | null): void => {
  state = now;
  for (const listener of listeners) listener();
};

export const listening = {
  now: (): Listening | null => state,
  subscribe,
};

/** A part of the player's state; re-renders when that part changes. `select` returns plain values or parts. */
export const useListening = <T>(select: (now: Listening | null) => T): T => useSyncExternalStore(subscribe, () => select(state));

let reading: ReadingPlace | null = null;

/** Sets where the page's reader is; null when the page is left. */
export const setReadingPlace = (place: ReadingPlace | null): void => {
  reading = place;
};
export const readingPlace = (): ReadingPlace | null => reading;

type Load = (element: HTMLAudioElement) => Promise<Player>;
let load: Load | null = null;
let element: HTMLAudioElement | null = null;
let player: Player | null = null;
let coming: Promise<Player> | null = null;

/** Sets how the player's chunk is loaded. */
export const setPlayerLoader = (from: Load): void => {
  load = from;
};

/** The player, once a recording was opened; null before. */
export const currentPlayer = (): Player | null => player;

/** Opens a recording and plays it; throws when the player's chunk can't be loaded. */
export async function listen(track: Track, start: Start): Promise<void> {
  if (!element) {
    element = document.createElement('audio');
    element.hidden = true;
    document.body.append(element);
    // Some browsers play only an element that was used during the press itself, and the player's chunk is loaded after it.
    element.load();
  }
  if (!load) throw new Error('No player loader was set.');
  // One player, however often the button is pressed while it loads.
  coming ??= load(element);
  try {
    player = await coming;
  } catch (error) {
    coming = null;
    throw error;
  }
  player.open(track, start);
}
