// The player's data in this browser: the speed, a visitor's positions in recordings, positions in videos and episodes, and
// the recording that was open before a reload. Without storage nothing is remembered.
import type { Track } from '@/shared/listening/listening';
import { isSpeed } from '@/features/reading-progress/listening/model';

const SPEED = 'pith-speed';
const OPEN = 'pith-listening';
/** How many positions are stored; the oldest are removed. */
const KEPT = 40;

function read(storage: () => Storage, key: string): unknown {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null') as unknown;
  } catch {
    return null;
  }
}

function write(storage: () => Storage, key: string, value: unknown): void {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(value));
  } catch {
    // Without storage nothing is remembered.
  }
}

const local = () => localStorage;
const tab = () => sessionStorage;

export const speed = {
  get: (): number => {
    const kept = read(local, SPEED);
    return typeof kept === 'number' && isSpeed(kept) ? kept : 1;
  },
  set: (rate: number): void => write(local, SPEED, rate),
};

type Kind = 'audio' | 'video' | 'episode';
const isPlace = (one: unknown): one is [string, number] => Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'number';
const placesOf = (kind: Kind): [string, number][] => {
  const kept = read(local, `pith-${kind}-places`);
  return Array.isArray(kept) ? kept.filter(isPlace) : [];
};

export const places = {
  /** Seconds; null when nothing is stored. */
  get: (kind: Kind, subid: string): number | null => placesOf(kind).find(([id]) => id === subid)?.[1] ?? null,
  /** 0 removes the entry. */
  set(kind: Kind, subid: string, at: number): void {
    const others = placesOf(kind).filter(([id]) => id !== subid);
    write(local, `pith-${kind}-places`, at > 0 ? [[subid, Math.round(at * 10) / 10], ...others].slice(0, KEPT) : others);
  },
};

interface Open {
  track: Track;
  at: number;
}

const isOpen = (kept: unknown): kept is Open =>
  typeof kept === 'object' &&
  kept !== null &&
  'at' in kept &&
  typeof kept.at === 'number' &&
  'track' in kept &&
  typeof kept.track === 'object' &&
  kept.track !== null &&
  'subid' in kept.track &&
  'file' in kept.track;

/** The recording that is open in this tab, to restore it after a reload. */
export const openRecording = {
  get: (): Open | null => {
    const kept = read(tab, OPEN);
    return isOpen(kept) ? kept : null;
  },
  set: (open: Open | null): void => write(tab, OPEN, open),
};
