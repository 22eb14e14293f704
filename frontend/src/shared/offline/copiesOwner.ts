// Whose copies this device holds. One member at a time: the copies of another one are removed before anything is stored.
import { serverNow } from '@/api/clock';
import { session } from '@/api/session';

const KEY = 'pith-copies';

/** Days without a response of the server after which nothing is shown any more: as long as a session lives (identity.refresh-rotation). */
export const COPIES_KEPT_DAYS = 30;
const DAY = 86_400_000;

export interface CopiesOwner {
  member: number;
  /** When the server last answered this member, in ms. */
  contact: number;
}

/** The owner, as stored. */
function stored(): CopiesOwner | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return null;
    const { member, contact } = kept as Partial<Record<keyof CopiesOwner, unknown>>;
    return typeof member === 'number' && typeof contact === 'number' ? { member, contact } : null;
  } catch {
    return null;
  }
}

function write(value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, value);
  } catch {
    // Without storage there are no copies.
  }
}

export const copiesOwner = {
  /** The member whose copies may be shown now; null without a session, or when the server has not answered for too long. */
  current(now = serverNow()): CopiesOwner | null {
    const owner = session.token() === null ? null : stored();
    return owner && now - owner.contact <= COPIES_KEPT_DAYS * DAY ? owner : null;
  },
  /** Something may be stored here, of whatever member. */
  isSet(): boolean {
    try {
      return localStorage.getItem(KEY) !== null;
    } catch {
      return false;
    }
  },
  /** From now on nothing may be shown. The mark stays until everything is removed, also when the page is closed meanwhile. */
  end(): void {
    write('ended');
  },
  set(member: number): void {
    write(JSON.stringify({ member, contact: serverNow() }));
  },
  /** Everything was removed. */
  clear: (): void => write(null),
};
