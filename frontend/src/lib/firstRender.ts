let started = false;
/** The server had no text for this page, only its shape: nothing is worth keeping until the page is whole. */
const hasText = document.querySelector('[data-waiting]') === null;

/** The app has replaced the server's markup. */
export const markRendered = (): void => {
  started = true;
};

/**
 * For loaders. Before the first render it waits for the given fetches, so that the server's text stays until the page
 * can replace it whole; afterwards it lets them run, and the page shows its skeleton. Failures are the page's to show.
 */
export async function settleBeforeFirstRender(...fetches: Promise<unknown>[]): Promise<null> {
  const all = Promise.allSettled(fetches);
  if (!started && hasText) await all;
  return null;
}
