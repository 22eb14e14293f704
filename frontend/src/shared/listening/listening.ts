// The recording that is open, and the interface of the player. Every page loads this module; the engine and its components
// are a separate chunk, loaded when a recording is opened (see `setPlayerLoader`).
import { useSyncExternalStore } from 'react';

/** A key idea of a session, as a part of its book's recording. */
export interface SessionPart {
  bookId: number;
  /** The slug of the book. */
  subid: string;
  /** The section's index in the book, from 0. */
  section: number;
  /** How many sections of the book have text. */
  sections: number;
  /** The idea's heading. */
  idea: string;
  bookTitle: string;
  author: string;
  image: string | null;
  /** Where it begins and ends in the recording, in seconds. */
  from: number;
  to: number;
}

/** What is known of a recording before it is loaded: of a book, of a podcast episode, or of the podcast about a book. */
export interface Track {
  /** The listening member's id; null for a visitor, and where nothing depends on it. */
  member: number | null;
  /** Null for an episode and for the podcast about a book. */
  bookId: number | null;
  /** The slug of the book or the episode. */
  subid: string;
  /** The podcast about the book with this slug. Its listening position is stored like an episode's. */
  isAboutBook?: boolean;
  /** The recording's public file, with its length in seconds if known; null: a book's, whose URL the server provides. */
  file: { url: string; seconds: number | null } | null;
  title: string;
  author: string;
  image: string | null;
  /** The category's hue, in degrees. */
  hue: number;
  /** How many sections of the book have text. */
  sections: number;
  /** A session: parts of several books' recordings, played one after the other. */
  parts?: readonly SessionPart[];
  /** The path of the session's page. */
  page?: string;
}

type TrackName = Pick<Track, 'bookId' | 'subid' | 'isAboutBook' | 'parts'>;

const namesOf = ({ parts }: TrackName): string => parts?.map(({ bookId, section }) => `${bookId} ${section}`).join(', ') ?? '';

/** Whether both name the same recording. */
export const isSameTrack = (one: TrackName, other: TrackName): boolean =>
  one.bookId === other.bookId && one.subid === other.subid && (one.isAboutBook ?? false) === (other.isAboutBook ?? false) && namesOf(one) === namesOf(other);

/** Whether it is a podcast episode with its own page. */
export const isEpisode = (track: TrackName): boolean => track.bookId === null && track.isAboutBook !== true && track.parts === undefined;

/** The beginning of a section in the recording. */
export interface Chapter {
  /** The section's index in the book, from 0. */
  section: number;
  title: string;
  /** Seconds; null when the recording has no times. */
  at: number | null;
}

/** The beginning of a paragraph or a section's heading in the recording. */
export interface Mark {
  section: number;
  /** The index of the block in its section, from 0; null for the heading. */
  paragraph: number | null;
  /** Seconds. */
  at: number;
}

/** Why nothing plays: a login or a plan is required; the book has no recording; a network failure; a broken recording. */
export type Failure = 'login' | 'upgrade' | 'missing' | 'offline' | 'broken';

/** The sleep timer: pauses after `left` more milliseconds of listening, or at the end of a section. */
export type Sleep = { kind: 'minutes'; minutes: number; left: number } | { kind: 'section'; section: number };

export interface Listening {
  track: Track;
  stage: 'opening' | 'ready' | 'failed';
  failure: Failure | null;
  /** Whether the listener wants it to play (pressed play, not pause). */
  wanted: boolean;
  /** Buffering: it should play and has no data. */
  waiting: boolean;
  /** The browser has no connection. */
  offline: boolean;
  /** It has played to the end; the position is then reset to the start. */
  ended: boolean;
  /** Position in seconds. */
  at: number;
  /** Length of the recording in seconds. */
  seconds: number;
  chapters: readonly Chapter[];
  marks: readonly Mark[];
  rate: number;
  muted: boolean;
  sleep: Sleep | null;
}

/** Where to begin playing. The player decides when nothing is given. */
export interface Start {
  /** The section that the reader shows. */
  section?: number;
  /** The member navigated to that section: play from its beginning, or resume within it. */
  chosen?: boolean;
  /** The listening position of an earlier visit, in seconds. */
  saved?: number | null;
  /** An exact position, in seconds. */
  at?: number;
  /** Opens the recording without playing it, as after a reload. */
  silent?: boolean;
}

/** The player's commands. */
export interface Player {
  open: (track: Track, start: Start) => void;
  play: () => void;
  pause: () => void;
  toggle: () => void;
  /** Seeks to a position, in seconds. */
  seek: (to: number) => void;
  /** Seeks by this many seconds. */
  skip: (by: number) => void;
  /** Seeks to the next or previous section, or paragraph. */
  step: (by: -1 | 1, what?: 'section' | 'paragraph') => void;
  cycleSpeed: () => void;
  setSpeed: (rate: number) => void;
  /** Changes to the next faster or slower speed, if there is one. */
  stepSpeed: (by: -1 | 1) => void;
  toggleMute: () => void;
  setSleep: (sleep: { minutes: number } | 'section' | null) => void;
  /** Retries after a failure. */
  retry: () => void;
  close: () => void;
}

/** The section of the open book that the reader shows. Playback does not change it. */
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

/** Called by the player to publish its state. */
export const publish = (now: Listening | null): void => {
  state = now;
  for (const listener of listeners) listener();
};

export const listening = {
  now: (): Listening | null => state,
  subscribe,
};

/** Part of the player's state; re-renders when that part changes. `select` must return primitives or existing objects. */
export const useListening = <T>(select: (now: Listening | null) => T): T => useSyncExternalStore(subscribe, () => select(state));

let reading: ReadingPlace | null = null;

/** Sets which section the page's reader shows; null when the page is left. */
export const setReadingPlace = (place: ReadingPlace | null): void => {
  reading = place;
};
export const readingPlace = (): ReadingPlace | null => reading;

type Load = (element: HTMLAudioElement) => Promise<Player>;
let load: Load | null = null;
let element: HTMLAudioElement | null = null;
let player: Player | null = null;
let coming: Promise<Player> | null = null;

/** Sets the function that loads the player's chunk. */
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
    // Some browsers only play an element that was used during the click itself, and the player's chunk is loaded after it.
    element.load();
  }
  if (!load) throw new Error('No player loader was set.');
  // One player, however often the button is pressed while the chunk loads.
  coming ??= load(element);
  try {
    player = await coming;
  } catch (error) {
    coming = null;
    throw error;
  }
  player.open(track, start);
}
