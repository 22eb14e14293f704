// Reading positions in this browser: the latest in each book, and changes that the server has not acknowledged (positions,
// ratings, the library). They survive a reload; without storage they last as long as the page.
import { serverNow } from '@/api/clock';

const DEVICE = 'device';
const PLACES = 'places';
const UNSENT = 'unsentPlaces';
/** Limit of remembered books, and of stored unsent positions. */
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

function remove(key: string): void {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // There is no storage, so nothing was stored.
  }
}

function readJson(key: string): unknown {
  try {
    return JSON.parse(read(key) ?? 'null') as unknown;
  } catch {
    return null;
  }
}

export const newDeviceId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** This browser's random id, created on first use. */
export function deviceId(): string {
  const known = read(DEVICE);
  if (known !== null && /^[A-Za-z0-9_-]{1,64}$/.test(known)) return known;
  const made = newDeviceId();
  write(DEVICE, made);
  return made;
}

let last = 0;

/** The server's time now, in ms; strictly later than any time that this function returned before on this page. */
export function nextMoment(): number {
  last = Math.max(serverNow(), last + 1);
  return last;
}

/** The send time and the device of a request. */
export const sentNow = (): { sent: number; device: string } => ({ sent: serverNow(), device: deviceId() });

/** The same, with the time of an event that happens now. */
export const stamp = (): { at: number; sent: number; device: string } => ({ at: nextMoment(), ...sentNow() });

/** A member's reading position on this device, with its time (by the server's clock, ms). */
export interface KnownPlace {
  position: number;
  /** The paragraph at the top of the screen, from 0 in its section; null or undefined: the section's beginning. */
  paragraph?: number | null;
  at: number;
}

/** Id of readers without an account, whose positions stay in this browser. */
export const VISITOR = 0;

type Stored = [position: number, at: number, paragraph?: number];
type Known = Partial<Record<string, Stored>>;

const keyOf = (member: number, book: number) => `${member}/${book}`;

const isPlace = (entry: [string, unknown]): entry is [string, Stored] => {
  const [, place] = entry;
  return Array.isArray(place) && (place.length === 2 || place.length === 3) && place.every((part) => typeof part === 'number');
};

/** The stored positions without malformed entries: anything can write to the storage. */
function allKnown(): Known {
  const stored = readJson(PLACES);
  return typeof stored === 'object' && stored !== null ? Object.fromEntries(Object.entries(stored).filter(isPlace)) : {};
}

/** This member's stored position in the book on this device; null when there is none. */
export function knownPlace(member: number, book: number): KnownPlace | null {
  const found = allKnown()[keyOf(member, book)];
  return found ? { position: found[0], at: found[1], ...(found[2] !== undefined && { paragraph: found[2] }) } : null;
}

/** Stores this member's position in the book on this device. */
export function rememberPlace(member: number, book: number, { position, paragraph, at }: KnownPlace): void {
  const known = Object.entries({ ...allKnown(), [keyOf(member, book)]: paragraph == null ? [position, at] : [position, at, paragraph] }).filter(isPlace);
  known.sort(([, [, a]], [, [, b]]) => b - a);
  write(PLACES, JSON.stringify(Object.fromEntries(known.slice(0, MOST))));
}

/** A reading position that the server has not acknowledged. */
export interface UnsentPlace {
  member: number;
  book: number;
  /** The section, from 0; null: only the recording advanced. */
  position: number | null;
  /** The paragraph in that section, from 0; undefined at its beginning. */
  paragraph?: number;
  /** The listening position in milliseconds; undefined when nothing was played. */
  audio?: number;
  at: number;
  completed: boolean;
}

/** A rating that the server has not acknowledged. */
export interface UnsentRating {
  kind: 'rating';
  member: number;
  book: number;
  subid: string;
  /** 1 to 5. */
  rating: number;
  /** Empty when there is none. */
  feedback: string;
  at: number;
}

/** A library change that the server has not acknowledged. */
export interface UnsentLibrary {
  kind: 'library';
  member: number;
  book: number;
  isInLibrary: boolean;
  at: number;
}

/** A change that the server has not acknowledged. A position has no `kind`. */
export type UnsentChange = UnsentPlace | UnsentRating | UnsentLibrary;

export const isPlaceChange = <One extends object>(change: One): change is Exclude<One, { kind: string }> => !('kind' in change);

const isNumber = (value: unknown): value is number => typeof value === 'number';

function isUnsent(one: unknown): one is UnsentChange {
  if (typeof one !== 'object' || one === null) return false;
  const { kind, member, book, at, position, paragraph, audio, completed, subid, rating, feedback, isInLibrary } = one as Record<string, unknown>;
  if (![member, book, at].every(isNumber)) return false;
  if (kind === 'rating') return typeof subid === 'string' && isNumber(rating) && typeof feedback === 'string';
  if (kind === 'library') return typeof isInLibrary === 'boolean';
  return (
    kind === undefined &&
    (position === null || isNumber(position)) &&
    [paragraph, audio].every((part) => part === undefined || isNumber(part)) &&
    typeof completed === 'boolean'
  );
}

/** The unacknowledged changes of all members of this browser. */
export function allUnsent(): UnsentChange[] {
  const stored = readJson(UNSENT);
  return Array.isArray(stored) ? stored.filter(isUnsent) : [];
}

/** This member's unacknowledged changes, oldest first. */
export const unsentChanges = (member: number): UnsentChange[] => allUnsent().filter((one) => one.member === member);

/** This member's unacknowledged positions. */
export const unsentPlaces = (member: number): UnsentPlace[] => unsentChanges(member).filter(isPlaceChange);

/** A change to send; `member` is null when it is not known who is signed in. */
export type Unowned<Change extends { member: number }> = Omit<Change, 'member'> & { member: number | null };
type Covering = Unowned<UnsentPlace> | Unowned<UnsentRating> | Unowned<UnsentLibrary>;

/**
 * Whether a later change makes an earlier one of the same book unnecessary: a later rating, a later library change, or a
 * position with at least the same information. A completion is never covered.
 */
export function covers(later: Covering, earlier: Covering): boolean {
  if (earlier.member !== later.member || earlier.book !== later.book) return false;
  if (!isPlaceChange(later) || !isPlaceChange(earlier)) return 'kind' in later && 'kind' in earlier && later.kind === earlier.kind;
  return !earlier.completed && (earlier.position === null || later.position !== null) && (earlier.audio === undefined || later.audio !== undefined);
}

/** Stores a change until the server acknowledges it. It replaces those that it covers. */
export function storeUnsent(change: UnsentChange): void {
  const others = allUnsent().filter((one) => !covers(change, one));
  write(UNSENT, JSON.stringify([...others, change].slice(-MOST)));
}

/** Removes a change that the server has acknowledged, or refused for good. */
export function removeUnsent({ member, book, at }: Pick<UnsentChange, 'member' | 'book' | 'at'>): void {
  const rest = allUnsent().filter((one) => one.member !== member || one.book !== book || one.at !== at);
  write(UNSENT, JSON.stringify(rest));
}

/** Removes the positions and unsent changes of a member who logs out; null (it is not known who): those of all members. */
export function forgetPlaces(member: number | null): void {
  const isOther = (of: string | number) => member !== null && Number(of) !== member;
  const known = Object.entries(allKnown()).filter(([key]) => isOther(key.split('/')[0] ?? ''));
  const unsent = allUnsent().filter((one) => isOther(one.member));
  if (known.length > 0) write(PLACES, JSON.stringify(Object.fromEntries(known)));
  else remove(PLACES);
  if (unsent.length > 0) write(UNSENT, JSON.stringify(unsent));
  else remove(UNSENT);
}
