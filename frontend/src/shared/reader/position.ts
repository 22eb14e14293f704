// Where in a book a reader is: pure rules. Places count from 0, as on the wire; in the address and on the screen from 1.

/** The index, limited to the sections shown. */
export const bounded = (index: number, total: number): number => Math.min(Math.max(0, index), Math.max(0, total - 1));

/** `?section=3` → 2; null when there is none, or when it names no section. */
export function placeInAddress(search: string, total: number): number | null {
  const text = new URLSearchParams(search).get('section');
  if (text === null || !/^\d{1,6}$/.test(text)) return null;
  const index = Number(text) - 1;
  return index >= 0 && index < total ? index : null;
}

/** Where reading begins: the address's section, else the saved one when it is valid, else the first (reading-progress.saved-position). */
export function startAt(book: { search: string; saved: number; total: number }): number {
  const { search, saved, total } = book;
  const asked = placeInAddress(search, total);
  if (asked !== null) return asked;
  return Number.isInteger(saved) && saved >= 0 && saved < total ? saved : 0;
}

/** The page's address at a section, other parameters kept. */
export function addressAt(address: { pathname: string; search: string; hash: string }, index: number): string {
  const params = new URLSearchParams(address.search);
  params.set('section', String(index + 1));
  return `${address.pathname}?${params.toString()}${address.hash}`;
}

/** A body's own headings stand below the section's, which is a level 2 on the page. */
export const raiseHeadings = (html: string): string => html.replace(/<(\/?)h4(?=[\s>])/g, '<$1h3');

/** Where to come back to after logging in: the section too, which only the browser's address knows. */
export const here = (): string => window.location.pathname + window.location.search;
