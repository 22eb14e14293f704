// Completed key ideas that the server does not have yet, in local storage. Apart from what sends them, so that the logout and the
// page's start can ask without loading it.
import { readStored, writeStored } from '@/lib/browserStore';

const KEY = 'unsentIdeas';
/** Limit of a member's stored ideas. */
const MOST = 200;

/** A key idea that a member has completed. */
export interface UnsentIdea {
  member: number;
  bookId: number;
  /** The idea's heading. */
  idea: string;
  /** When it was completed, by the server's clock in ms. */
  at: number;
}

/** What could not be stored: it lasts as long as the page. */
let memory: string | null = null;

function write(ideas: readonly UnsentIdea[]): void {
  const value = ideas.length > 0 ? JSON.stringify(ideas) : null;
  writeStored('local', KEY, value);
  memory = readStored('local', KEY) === value ? null : value;
}

function isIdea(one: unknown): one is UnsentIdea {
  if (typeof one !== 'object' || one === null) return false;
  const { member, bookId, idea, at } = one as Partial<Record<keyof UnsentIdea, unknown>>;
  return [member, bookId, at].every((number) => typeof number === 'number') && typeof idea === 'string';
}

/** Those of all members, without malformed ones: anything can write to the storage. */
function allIdeas(): UnsentIdea[] {
  try {
    const stored: unknown = JSON.parse(memory ?? readStored('local', KEY) ?? 'null');
    return Array.isArray(stored) ? stored.filter(isIdea) : [];
  } catch {
    return [];
  }
}

/** This member's, oldest first; null (it is not known who is signed in): those of all members. */
export const unsentIdeas = (member: number | null): UnsentIdea[] => allIdeas().filter((one) => member === null || one.member === member);

const isSameIdea = (one: UnsentIdea, other: UnsentIdea): boolean => one.member === other.member && one.bookId === other.bookId && one.idea === other.idea;

/** Stores an idea until the server has it. An idea is stored once, with its latest moment. */
export function storeIdea(idea: UnsentIdea): void {
  const all = allIdeas();
  const known = all.find((one) => isSameIdea(one, idea));
  const latest = known && known.at > idea.at ? known : idea;
  const own = all.filter((one) => one.member === idea.member && one !== known);
  write([...all.filter((one) => one.member !== idea.member), ...[...own, latest].slice(-MOST)]);
}

/** Removes ideas that the server has or has refused. One that was completed again meanwhile stays. */
export function removeIdeas(sent: readonly UnsentIdea[]): void {
  write(allIdeas().filter((one) => !sent.some((gone) => isSameIdea(gone, one) && gone.at === one.at)));
}

/** Removes those of a member who logs out; null (it is not known who): those of all members. */
export function forgetIdeas(member: number | null): void {
  write(member === null ? [] : allIdeas().filter((one) => one.member !== member));
}
