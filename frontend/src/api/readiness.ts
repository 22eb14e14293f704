/** Timeout of a request, in milliseconds. */
const PATIENCE = 2_000;

/** Whether the server accepts requests now (site.readiness-check). */
export async function isReady(): Promise<boolean> {
  try {
    const { status } = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) });
    return status === 200;
  } catch {
    return false;
  }
}
