// A call that the page is certain to make, begun in the head while the app's scripts are still on their way. The client takes
// its response instead of asking once more.
import { TOKEN, TOKEN_DATE, isFreshSince } from '@/api/hints';

/** How long a response waits for the app, and the app for a response, in milliseconds. */
const EARLY = 15_000;

interface EarlyCall {
  url: string;
  token: string;
  /** When it was begun, in milliseconds. */
  asked: number;
  response: Promise<Response>;
}

declare global {
  interface Window {
    earlyCall?: EarlyCall | undefined;
  }
}

/** A book's path on its page, with the query with which the page asks (`bookQuery`). */
const bookUrl = (pathname: string): string | null => {
  const id = /^\/books\/([^/]+)$/.exec(pathname)?.[1];
  return id === undefined ? null : `/api/books/${id}?preview=true&unlessOpen=true`;
};

/** Asks for the book of a member's page: what a visitor sees of it stands in the page already. Returns whether it has asked. */
export function beginEarlyCall(pathname: string): boolean {
  const token = localStorage.getItem(TOKEN);
  const url = bookUrl(pathname);
  // A session that has to be refreshed first would be refused.
  if (token === null || url === null || !isFreshSince(localStorage.getItem(TOKEN_DATE))) return false;
  const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };
  const response = fetch(url, { headers, credentials: 'include', signal: AbortSignal.timeout(EARLY) });
  // When it fails the client asks again, and reports it.
  response.catch(() => undefined);
  window.earlyCall = { url, token, asked: Date.now(), response };
  return true;
}

/** The response of the same call, for the same member, once; undefined when none was begun or when it failed. */
export async function takeEarlyCall(url: string, token: string | null): Promise<{ response: Response; asked: number } | undefined> {
  const early = window.earlyCall;
  if (early?.url !== url || early.token !== token) return undefined;
  window.earlyCall = undefined;
  if (Date.now() - early.asked > EARLY) return undefined;
  const response = await early.response.catch(() => null);
  return response === null ? undefined : { response, asked: early.asked };
}
