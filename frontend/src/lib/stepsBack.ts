// Whether a link to a list can go back in the history instead, which restores the list's scroll position.

/** The Navigation API, which TypeScript's DOM library lacks. */
interface Navigation {
  currentEntry: { index: number } | null;
  entries: () => readonly { index: number; url: string | null }[];
}

const pathOf = (url: string | null | undefined) => (url && URL.canParse(url) ? new URL(url).pathname.replace(/(.)\/$/, '$1') : null);

/**
 * How many history entries back the page at `to` is, when only entries of the current page (with another sort order, for example)
 * lie between; otherwise null. Also null where the browser lacks the Navigation API.
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
