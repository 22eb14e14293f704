// The session of this browser: `token` and `tokenDate` in local storage (identity.browser-storage).
// Other tabs are notified of a change by the `storage` event.
import { useSyncExternalStore } from 'react';
import { TOKEN } from '@/api/hints';

const DATE = 'tokenDate';

/** Lifetime of an access token, in milliseconds: one hour (identity.browser-storage). */
export const SESSION_VALIDITY = 3_600_000;

/** `ended`: the server refused to refresh the session. `left`: the member logged out. */
export type SessionEnd = 'ended' | 'left';

const listeners = new Set<() => void>();
const rejectionListeners = new Set<() => void>();
let lastEnd: SessionEnd | null = null;
let ends = 0;
/** Whether the open page is kept when the session ends. */
let kept = false;
// Storage may be unavailable (private windows, policies): the session then lasts as long as the page.
const memory = new Map<string, string>();

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return memory.get(key) ?? null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    if (value === null) memory.delete(key);
    else memory.set(key, value);
  }
}

function notify(): void {
  if (session.token() === null) ends += 1;
  for (const listener of listeners) listener();
}

window.addEventListener('storage', (event) => {
  if (event.key === TOKEN || event.key === null) notify();
});

export const session = {
  token: (): string | null => read(TOKEN),

  /** Whether there is a token younger than an hour. */
  isFresh(now = Date.now()): boolean {
    const since = Number(read(DATE));
    return session.token() !== null && Number.isFinite(since) && since > now - SESSION_VALIDITY;
  },

  start(token: string): void {
    lastEnd = null;
    write(TOKEN, token);
    write(DATE, String(Date.now()));
    notify();
  },

  end(how: SessionEnd): void {
    if (session.token() === null) return;
    lastEnd = how;
    write(TOKEN, null);
    write(DATE, null);
    // Also clears the cookie for the first paint, because the server's response may not have arrived.
    document.cookie = 'isPaid=; Path=/; Max-Age=0; SameSite=Lax';
    notify();
  },

  /** How the last session of this tab ended, if one did. */
  lastEnd: (): SessionEnd | null => lastEnd,

  /**
   * From now on a session that the server has ended does not end the page: it waits for the next login, and what is cached stays
   * (admin.ended-session). Returns how to stop.
   */
  keepPage(): () => void {
    kept = true;
    return () => {
      const waited = session.isWaiting();
      kept = false;
      if (waited) notify();
    };
  },

  /** Whether a page waits for the next login. */
  isWaiting: (): boolean => kept && lastEnd === 'ended' && session.token() === null,

  /** How many sessions have ended on this page, in any tab. A response whose session has ended since its request is discarded. */
  ends: (): number => ends,

  /** Called when a member's call was refused for good: the session has ended (identity.session-end). */
  reject(): void {
    for (const listener of rejectionListeners) listener();
  },

  onRejected: (listener: () => void): (() => void) => {
    rejectionListeners.add(listener);
    return () => rejectionListeners.delete(listener);
  },

  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

const signedIn = () => session.token() !== null;

/** Whether a member is signed in; re-renders when that changes, in any tab. */
export const useSignedIn = (): boolean => useSyncExternalStore(session.subscribe, signedIn, () => false);
