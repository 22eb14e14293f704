let started = false;
/** False when the server rendered only a skeleton, which is replaced at once. */
const hasText = document.querySelector('[data-waiting]') === null;

/** Call when the app has replaced the server's markup. */
export const markRendered = (): void => {
  started = true;
};

/**
 * For loaders. Before the first render it awaits the given fetches, so that the server's markup stays until the complete page can
 * replace it; afterwards it does not wait, and the page shows its skeleton. Failures are left to the page.
 */
export async function settleBeforeFirstRender(...fetches: Promise<unknown>[]): Promise<null> {
  const all = Promise.allSettled(fetches);
  if (!started && hasText) await all;
  return null;
}
