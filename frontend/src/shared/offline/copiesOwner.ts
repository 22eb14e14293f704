// The owner of the copies on this device: one member at a time. Another member's copies are removed before anything is stored.
import { serverNow } from '@/api/clock';
import { session } from '@/api/session';

const KEY = 'pith-copies';

/** Copies are not shown after this many days without a response of the server: the lifetime of a session (identity.refresh-rotation). */
export const COPIES_KEPT_DAYS = 30;
const DAY = 86_400_000;

export interface CopiesOwner {
  member: number;
  /** When the server last responded to this member, in ms. */
  contact: number;
}

/** The owner in storage. */
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
  /** The member whose copies may be shown now; null without a session, or when the server has not responded for too long. */
  current(now = serverNow()): CopiesOwner | null {
    const owner = session.token() === null ? null : stored();
    return owner && now - owner.contact <= COPIES_KEPT_DAYS * DAY ? owner : null;
  },
  /** Whether copies of any member may be stored here. */
  isSet(): boolean {
    try {
      return localStorage.getItem(KEY) !== null;
    } catch {
      return false;
    }
  },
  /** From now on no copy may be shown. The key stays until all copies are removed, in case the page is closed before that. */
  end(): void {
    write('ended');
  },
  set(member: number): void {
    write(JSON.stringify({ member, contact: serverNow() }));
  },
  /** Call when all copies are removed. */
  clear: (): void => write(null),
};
