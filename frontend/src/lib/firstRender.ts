let started = false;
/** False when the server rendered only the page's skeleton: it is replaced at once. */
const hasText = document.querySelector('[data-waiting]') === null;

/** The app has replaced the server's markup. */
export const markRendered = (): void => {
  started = true;
};

/**
 * For loaders. Before the first render it waits for the given fetches, so that the server's text stays until the page
 * can replace it whole; afterwards it does not wait, and the page shows its skeleton. The page shows failures.
 */
export async function settleBeforeFirstRender(...fetches: Promise<unknown>[]): Promise<null> {
  const all = Promise.allSettled(fetches);
  if (!started && hasText) await all;
  return null;
}
