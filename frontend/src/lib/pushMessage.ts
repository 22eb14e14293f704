// Push messages as the server sends them (study.push-messages), for the service worker.
import { safeRedirect } from '@/lib/redirect';

export interface PushMessage {
  title: string;
  body: string;
  /** The page that it leads to: a path of this site. */
  path: string;
}

/** Where a message without a path of this site leads. */
const HOME = '/home';

/** A path of this site; `/home` for anything else. */
export const ownPath = (path: unknown): string => safeRedirect(typeof path === 'string' ? path : null, self.location.origin) ?? HOME;

/** Parses a payload; null: it is no message with a title. */
export function parsePushMessage(payload: string | undefined): PushMessage | null {
  try {
    const { title, body, path } = JSON.parse(payload ?? '') as Record<string, unknown>;
    if (typeof title !== 'string' || title === '') return null;
    return { title, body: typeof body === 'string' ? body : '', path: ownPath(path) };
  } catch {
    return null;
  }
}
