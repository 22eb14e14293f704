// Waiting for the server, which starts again when the site gets another name.
import { isReady } from '@/api/readiness';

/** Time between two requests, in milliseconds. */
const INTERVAL = 500;
/** How long the server that is about to stop may still answer, in milliseconds. */
const GRACE = 3_000;
/** Time after which the wait is given up, in milliseconds. */
const LIMIT = 20_000;

/** Waits until the server has restarted. False when it has not within 20 seconds, or when `signal` aborts the wait. */
export async function waitForRestart(signal: AbortSignal): Promise<boolean> {
  const began = Date.now();
  let wasDown = false;
  while (!signal.aborted) {
    const ready = await isReady();
    const waited = Date.now() - began;
    if (ready && (wasDown || waited >= GRACE)) return true;
    if (waited >= LIMIT) return false;
    wasDown ||= !ready;
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
  }
  return false;
}
