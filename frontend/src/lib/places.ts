// What this browser knows of where its members are in their books: what they did here, and what the server has not
// heard yet. Kept through reloads; without storage it lasts as long as the page.
import { serverNow } from '@/api/clock';

const DEVICE = 'device';
const PLACES = 'places';
const UNSENT = 'unsentPlaces';
/** Books that are remembered, and completions that wait, at most. */
const MOST = 200;

const memory = new Map<string, string>();

function read(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    memory.set(key, value);
  }
}

function readJson(key: string): unknown {
  try {
    return JSON.parse(read(key) ?? 'null') as unknown;
  } catch {
    return null;
  }
}

/** The random name that this browser gave itself. */
export function deviceId(): string {
  const known = read(DEVICE);
  if (known !== null && /^[A-Za-z0-9_-]{1,64}$/.test(known)) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  write(DEVICE, made);
  return made;
}

let last = 0;

/** Now, by the server's clock, and later than any moment that this page gave before. */
export function nextMoment(): number {
  last = Math.max(serverNow(), last + 1);
  return last;
}

/** What a request about a place says of itself. */
export const sentNow = (): { sent: number; device: string } => ({ sent: serverNow(), device: deviceId() });

/** What a request says that reports what is now. */
export const stamp = (): { at: number; sent: number; device: string } => ({ at: nextMoment(), ...sentNow() });

/** Where a member was on this device, and when (by the server's clock, ms). */
export interface KnownPlace {
  position: number;
  at: number;
}

type Known = Partial<Record<string, [position: number, at: number]>>;

const keyOf = (member: number, book: number) => `${member}/${book}`;

const isPlace = (entry: [string, unknown]): entry is [string, [number, number]] => {
  const [, place] = entry;
  return Array.isArray(place) && place.length === 2 && place.every((part) => typeof part === 'number');
};

/** What is kept, without what is no place: a storage may say anything. */
function allKnown(): Known {
  const stored = readJson(PLACES);
  return typeof stored === 'object' && stored !== null ? Object.fromEntries(Object.entries(stored).filter(isPlace)) : {};
}

/** Where this member was in the book on this device. */
export function knownPlace(member: number, book: number): KnownPlace | null {
  const found = allKnown()[keyOf(member, book)];
  return found ? { position: found[0], at: found[1] } : null;
}

/** Remembers where this member is in the book on this device. */
export function rememberPlace(member: number, book: number, { position, at }: KnownPlace): void {
  const known = Object.entries({ ...allKnown(), [keyOf(member, book)]: [position, at] }).filter(isPlace);
  known.sort(([, [, a]], [, [, b]]) => b - a);
  write(PLACES, JSON.stringify(Object.fromEntries(known.slice(0, MOST))));
}

/** A place that the server has not acknowledged. */
export interface UnsentPlace extends KnownPlace {
  member: number;
  book: number;
  completed: boolean;
}

const isUnsent = (one: unknown): one is UnsentPlace =>
  typeof one === 'object' &&
  one !== null &&
  ['member', 'book', 'position', 'at'].every((key) => typeof (one as Record<string, unknown>)[key] === 'number') &&
  typeof (one as Record<string, unknown>)['completed'] === 'boolean';

function allUnsent(): UnsentPlace[] {
  const stored = readJson(UNSENT);
  return Array.isArray(stored) ? stored.filter(isUnsent) : [];
}

/** What the server has not heard of this member, oldest first. */
export const unsentPlaces = (member: number): UnsentPlace[] => allUnsent().filter((one) => one.member === member);

/** Keeps a place until the server has it. A later place takes the place of an earlier one, but never that of a completion. */
export function keepUnsent(place: UnsentPlace): void {
  const others = allUnsent().filter((one) => one.completed || one.member !== place.member || one.book !== place.book);
  write(UNSENT, JSON.stringify([...others, place].slice(-MOST)));
}

/** The server has it, or will never take it. */
export function dropUnsent({ member, book, at }: Pick<UnsentPlace, 'member' | 'book' | 'at'>): void {
  const rest = allUnsent().filter((one) => one.member !== member || one.book !== book || one.at !== at);
  write(UNSENT, JSON.stringify(rest));
}
