// The server's clock, estimated from its responses. Requests that report a time do not depend on the device's clock,
// which may be wrong.

/** Differences below this are ignored, in milliseconds: the header has whole seconds, and the network adds delay. */
const NOTICEABLE = 2_000;

let ahead = 0;

/** Records the server's time of a response. `asked` and `heard` are when the browser sent and received, by its own clock. */
export function recordServerTime(date: string | null, asked: number, heard: number): void {
  const server = Date.parse(date ?? '');
  if (!Number.isFinite(server)) return;
  // The header is cut to whole seconds: half a second is added on average.
  const difference = server + 500 - (asked + heard) / 2;
  ahead = Math.abs(difference) <= NOTICEABLE + (heard - asked) / 2 ? 0 : Math.round(difference);
}

/** The time at the server, in milliseconds since the epoch. */
export const serverNow = (now = Date.now()): number => now + ahead;
