// What this browser stores of its members' reading: the last place in each book, and the changes that the server has not
// acknowledged (places, ratings, the library). They survive a reload; without storage they last as long as the page.
import { serverNow } from '@/api/clock';

const DEVICE = 'device';
const PLACES = 'places';
const UNSENT = 'unsentPlaces';
/** The most books that are remembered, and unsent places that are stored. */
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
    // There is no storage, so nothing is in it.
  }
}

function readJson(key: string): unknown {
  try {
    return JSON.parse(read(key) ?? 'null') as unknown;
  } catch {
    return null;
  }
}

/** The random name of this browser. It is made once. */
export function deviceId(): string {
  const known = read(DEVICE);
  if (known !== null && /^[A-Za-z0-9_-]{1,64}$/.test(known)) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  write(DEVICE, made);
  return made;
}

let last = 0;

/** Now, by the server's clock, in ms; later than any moment that this function returned before on this page. */
export function nextMoment(): number {
  last = Math.max(serverNow(), last + 1);
  return last;
}

/** When and from which device a request is sent. */
export const sentNow = (): { sent: number; device: string } => ({ sent: serverNow(), device: deviceId() });

/** The same, for a request that reports what happens now. */
export const stamp = (): { at: number; sent: number; device: string } => ({ at: nextMoment(), ...sentNow() });

/** Where a member was on this device, and when (by the server's clock, ms). */
export interface KnownPlace {
  position: number;
  /** The paragraph at the top of the screen, from 0 in its section; null or left out: the section's beginning. */
  paragraph?: number | null;
  at: number;
}

/** Who reads without an account: their places stay in this browser. */
export const VISITOR = 0;

type Stored = [position: number, at: number, paragraph?: number];
type Known = Partial<Record<string, Stored>>;

const keyOf = (member: number, book: number) => `${member}/${book}`;

const isPlace = (entry: [string, unknown]): entry is [string, Stored] => {
  const [, place] = entry;
  return Array.isArray(place) && (place.length === 2 || place.length === 3) && place.every((part) => typeof part === 'number');
};

/** The stored places. What is malformed is left out: anything can write to the storage. */
function allKnown(): Known {
  const stored = readJson(PLACES);
  return typeof stored === 'object' && stored !== null ? Object.fromEntries(Object.entries(stored).filter(isPlace)) : {};
}

/** Where this member was in the book on this device. */
export function knownPlace(member: number, book: number): KnownPlace | null {
  const found = allKnown()[keyOf(member, book)];
  return found ? { position: found[0], at: found[1], ...(found[2] !== undefined && { paragraph: found[2] }) } : null;
}

/** Remembers where this member is in the book on this device. */
export function rememberPlace(member: number, book: number, { position, paragraph, at }: KnownPlace): void {
  const known = Object.entries({ ...allKnown(), [keyOf(member, book)]: paragraph == null ? [position, at] : [position, at, paragraph] }).filter(isPlace);
  known.sort(([, [, a]], [, [, b]]) => b - a);
  write(PLACES, JSON.stringify(Object.fromEntries(known.slice(0, MOST))));
}

/** A place that the server has not acknowledged. */
export interface UnsentPlace {
  member: number;
  book: number;
  /** Which section, from 0; null: only the recording went on. */
  position: number | null;
  /** The paragraph of that section, from 0; left out at its beginning. */
  paragraph?: number;
  /** Where the recording was, in milliseconds; left out where there was no listening. */
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
  /** '' for none. */
  feedback: string;
  at: number;
}

/** A change of the library that the server has not acknowledged. */
export interface UnsentLibrary {
  kind: 'library';
  member: number;
  book: number;
  isInLibrary: boolean;
  at: number;
}

/** A change that the server has not acknowledged. A place has no kind. */
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

/** The changes that the server has not acknowledged, of all members of this browser. */
export function allUnsent(): UnsentChange[] {
  const stored = readJson(UNSENT);
  return Array.isArray(stored) ? stored.filter(isUnsent) : [];
}

/** This member's changes that the server has not acknowledged, oldest first. */
export const unsentChanges = (member: number): UnsentChange[] => allUnsent().filter((one) => one.member === member);

/** Of those, the places. */
export const unsentPlaces = (member: number): UnsentPlace[] => unsentChanges(member).filter(isPlaceChange);

/** A change to send; `member` is null when nothing says who is signed in. */
export type Unowned<Change extends { member: number }> = Omit<Change, 'member'> & { member: number | null };
type Covering = Unowned<UnsentPlace> | Unowned<UnsentRating> | Unowned<UnsentLibrary>;

/**
 * Whether a later change says at least what an earlier one said of the same book: a later rating, a later change of the
 * library, a place that says no less. A completion is covered by nothing.
 */
export function covers(later: Covering, earlier: Covering): boolean {
  if (earlier.member !== later.member || earlier.book !== later.book) return false;
  if (!isPlaceChange(later) || !isPlaceChange(earlier)) return 'kind' in later && 'kind' in earlier && later.kind === earlier.kind;
  return !earlier.completed && (earlier.position === null || later.position !== null) && (earlier.audio === undefined || later.audio !== undefined);
}

/** Stores a change until the server has it. It replaces those that it covers. */
export function storeUnsent(change: UnsentChange): void {
  const others = allUnsent().filter((one) => !covers(change, one));
  write(UNSENT, JSON.stringify([...others, change].slice(-MOST)));
}

/** Removes a change that the server has acknowledged, or refused for good. */
export function removeUnsent({ member, book, at }: Pick<UnsentChange, 'member' | 'book' | 'at'>): void {
  const rest = allUnsent().filter((one) => one.member !== member || one.book !== book || one.at !== at);
  write(UNSENT, JSON.stringify(rest));
}

/** Forgets the places and the unsent changes of a member who logs out; null when nobody knows which one: those of all. */
export function forgetPlaces(member: number | null): void {
  const isOther = (of: string | number) => member !== null && Number(of) !== member;
  const known = Object.entries(allKnown()).filter(([key]) => isOther(key.split('/')[0] ?? ''));
  const unsent = allUnsent().filter((one) => isOther(one.member));
  if (known.length > 0) write(PLACES, JSON.stringify(Object.fromEntries(known)));
  else remove(PLACES);
  if (unsent.length > 0) write(UNSENT, JSON.stringify(unsent));
  else remove(UNSENT);
}
