// The server's clock, as far as this browser knows it. Requests that say when something was must not be misled by a
// clock that is wrong.

/** A difference below this says nothing: the header has whole seconds, and the way takes its time. Milliseconds. */
const NOTICEABLE = 2_000;

let ahead = 0;

/** An answer came that says what time it is at the server. `asked` and `heard` are this browser's own times. */
export function hearServerTime(date: string | null, asked: number, heard: number): void {
  const server = Date.parse(date ?? '');
  if (!Number.isFinite(server)) return;
  // The header is cut to whole seconds: half a second later on the average.
  const difference = server + 500 - (asked + heard) / 2;
  ahead = Math.abs(difference) <= NOTICEABLE + (heard - asked) / 2 ? 0 : Math.round(difference);
}

/** What time it is at the server, in milliseconds since the epoch. */
export const serverNow = (now = Date.now()): number => now + ahead;
