// Whether going back in the history leads to a list, so that its scroll position is restored.

/** The Navigation API, where the browser has it. TypeScript's library does not have it yet. */
interface Navigation {
  currentEntry: { index: number } | null;
  entries: () => readonly { index: number; url: string | null }[];
}

const pathOf = (url: string | null | undefined) => (url && URL.canParse(url) ? new URL(url).pathname.replace(/(.)\/$/, '$1') : null);

/**
 * How many history entries back the page at `to` is, when only this page (in another order, say) lies between; else null.
 * Also null where the browser can't tell.
 */
export function stepsBackTo(to: string, navigation = (window as { navigation?: Navigation }).navigation): number | null {
  const here = navigation?.currentEntry?.index ?? -1;
  if (!navigation || here < 1) return null;
  const paths = navigation.entries().map(({ url }) => pathOf(url));
  for (let at = here - 1; at >= 0; at--) {
    if (paths[at] === to) return here - at;
    if (paths[at] === null || paths[at] !== paths[here]) return null;
  }
  return null;
}
