/** The rows of a list: of a table, or of a list of messages, mails or log entries. */
const ROWS = '.data-table tbody tr[data-index], .inbox > .inbox__item';

/**
 * Moves the focus to the next or the previous row of the list in `page`; from outside of the list, to its first row on the screen
 * (admin.keyboard-shortcuts). A row's first link or button takes the focus, else the row itself. Returns whether there is a row.
 */
export function moveInList(page: HTMLElement | null, step: 1 | -1): boolean {
  const rows = [...(page?.querySelectorAll<HTMLElement>(ROWS) ?? [])];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const onScreen = Math.max(
    rows.findIndex((row) => row.getBoundingClientRect().top >= 0),
    0,
  );
  const row = rows[at < 0 ? onScreen : Math.min(Math.max(at + step, 0), rows.length - 1)];
  (row?.querySelector<HTMLElement>('a[href], button') ?? row)?.focus();
  return row !== undefined;
}
