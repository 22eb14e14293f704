// The server's clock, estimated from its responses. Requests that report a time do not depend on the device's clock,
// which may be wrong.

/** Differences up to this are ignored, in milliseconds: the `Date` header has whole seconds, and the network adds delay. */
const NOTICEABLE = 2_000;

let ahead = 0;

/** Estimates the offset from a response's `Date`. `asked` and `heard`: when it was requested and received, by the browser's clock. */
export function recordServerTime(date: string | null, asked: number, heard: number): void {
  const server = Date.parse(date ?? '');
  if (!Number.isFinite(server)) return;
  // The header is truncated to whole seconds: on average that loses half a second.
  const difference = server + 500 - (asked + heard) / 2;
  ahead = Math.abs(difference) <= NOTICEABLE + (heard - asked) / 2 ? 0 : Math.round(difference);
}

/** The time at the server, in milliseconds since the epoch. */
export const serverNow = (now = Date.now()): number => now + ahead;
