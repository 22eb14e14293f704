// Where in a book the reader is: pure functions. Section indexes start at 0, as on the wire; in the URL and on the screen at 1.

/** The index, clamped to the existing sections. */
export const bounded = (index: number, total: number): number => Math.min(Math.max(0, index), Math.max(0, total - 1));

/** `?section=3` → 2; null when there is none, or when it names no section. */
export function placeInAddress(search: string, total: number): number | null {
  const text = new URLSearchParams(search).get('section');
  if (text === null || !/^\d{1,6}$/.test(text)) return null;
  const index = Number(text) - 1;
  return index >= 0 && index < total ? index : null;
}

/** The first section to show: the URL's, else the saved one if valid, else the first (reading-progress.saved-position). */
export function startAt(book: { search: string; saved: number; total: number }): number {
  const { search, saved, total } = book;
  const asked = placeInAddress(search, total);
  if (asked !== null) return asked;
  return Number.isInteger(saved) && saved >= 0 && saved < total ? saved : 0;
}

/** The page's URL at a section, other parameters kept. */
export function addressAt(address: { pathname: string; search: string; hash: string }, index: number): string {
  const params = new URLSearchParams(address.search);
  params.set('section', String(index + 1));
  return `${address.pathname}?${params.toString()}${address.hash}`;
}

/** Raises the body's own headings by one level: they come below the section's heading, which is a level 2 on the page. */
export const raiseHeadings = (html: string): string => html.replace(/<(\/?)h4(?=[\s>])/g, '<$1h3');

/** Where to return to after logging in: includes the section, which only the browser's URL has. */
export const here = (): string => window.location.pathname + window.location.search;
