// What is being listened to, and the door to the player. Every page carries this little; the engine and its screens are
// a chunk of their own that comes when somebody listens (the app says from where, see `bringPlayer`).
import { useSyncExternalStore } from 'react';

/** What the player knows of a book before it has asked for the recording. */
export interface Track {
  /** Who listens, by id; null for a visitor. */
  member: number | null;
  bookId: number;
  subid: string;
  title: string;
  author: string;
  image: string | null;
  /** The category's hue, in degrees. */
  hue: number;
  /** How many sections with text the book has. */
  sections: number;
}

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

/** Why nothing is heard: who listens must log in, or upgrade; there is no recording; the network; the recording itself. */
export type Failure = 'login' | 'upgrade' | 'missing' | 'offline' | 'broken';

/** When playing stops by itself: after `left` more milliseconds of listening, or where a section ends. */
export type Sleep = { kind: 'minutes'; minutes: number; left: number } | { kind: 'section'; section: number };

export interface Listening {
  track: Track;
  stage: 'opening' | 'ready' | 'failed';
  failure: Failure | null;
  /** The listener wants it to play. */
  wanted: boolean;
  /** It should play and has nothing to play yet. */
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

/** Where to begin. What is left out is for the player to know. */
export interface Start {
  /** The section that the reader shows. */
  section?: number;
  /** The reader has gone to that section by hand: it begins there or goes on within it, and nowhere else. */
  chosen?: boolean;
  /** Seconds of listening that another visit left off at. */
  saved?: number | null;
  /** Exactly here, in seconds. */
  at?: number;
  /** Only to have it at hand, as after a reload. */
  silent?: boolean;
}

/** What the player can be told. */
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
  toggleMute: () => void;
  setSleep: (sleep: { minutes: number } | 'section' | null) => void;
  /** After a failure. */
  retry: () => void;
  close: () => void;
}

/** The section in which a reader is, of the book that a page shows. The voice does not move it. */
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

/** The player's side of the door. */
export const publish = (now: Listening | null): void => {
  state = now;
  for (const listener of listeners) listener();
};

export const listening = {
  now: (): Listening | null => state,
  subscribe,
};

/** A part of what is being listened to; renders again when that part changes. `select` answers plain values or parts. */
export const useListening = <T>(select: (now: Listening | null) => T): T => useSyncExternalStore(subscribe, () => select(state));

let reading: ReadingPlace | null = null;

/** Says where a page's reader is; null when the page is left. */
export const setReadingPlace = (place: ReadingPlace | null): void => {
  reading = place;
};
export const readingPlace = (): ReadingPlace | null => reading;

type Load = (element: HTMLAudioElement) => Promise<Player>;
let load: Load | null = null;
let element: HTMLAudioElement | null = null;
let player: Player | null = null;
let coming: Promise<Player> | null = null;

/** Says from where the player comes. */
export const bringPlayer = (from: Load): void => {
  load = from;
};

/** The player, once somebody has listened. */
export const currentPlayer = (): Player | null => player;

/** Starts listening; throws when the player can't be fetched. */
export async function listen(track: Track, start: Start): Promise<void> {
  if (!element) {
    element = document.createElement('audio');
    element.hidden = true;
    document.body.append(element);
    // Some browsers let only an element sound that was touched while a finger pressed: the player's code comes later.
    element.load();
  }
  if (!load) throw new Error('Nobody has said where the player is.');
  // One player, however often the button is pressed meanwhile.
  coming ??= load(element);
  try {
    player = await coming;
  } catch (error) {
    coming = null;
    throw error;
  }
  player.open(track, start);
}
