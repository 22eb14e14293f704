import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useMediaQuery } from '@/lib/useMediaQuery';
import { Icon } from '@/ui/Icon';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** A press on the header sorts by this column. */
  sortable?: boolean;
  /** For numbers: aligned to the end of the cell. */
  align?: 'end';
  /** Hidden on narrow screens. */
  wide?: boolean;
  /** The column of the row's actions. On narrow screens they are shown below the row's name (admin.row-actions). */
  actions?: boolean;
  /** As narrow as its content. */
  fit?: boolean;
}

export interface Sort {
  by: string;
  descending: boolean;
}

interface Props<Row> {
  /** The table's accessible name. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The row's name, which is the accessible name of its checkbox. */
  nameOf: (row: Row) => string;
  sort?: Sort;
  /** Called with the column's id. */
  onSort?: (by: string) => void;
  /** The keys of the selected rows. Without it rows can't be selected. */
  chosen?: ReadonlySet<string>;
  onChoose?: (keys: ReadonlySet<string>) => void;
}

/** From this many rows on, the table is virtualized: only rows near the viewport are in the DOM. */
export const VIRTUAL_FROM = 120;
/** A row's height in pixels; and the additional height of actions below its name. */
const ROW = 37;
const ACTIONS = 44;
/** The breakpoint at which records.css hides `wide` columns. */
const NARROW = '(max-width: 71.99rem)';

/**
 * A dense table: sorts by a press on a header, selects rows with checkboxes (Shift for a range), and moves between rows with the
 * arrow keys or j and k; Enter opens the row's first link. A long table is virtualized. On narrow screens the sorting by hidden
 * columns is above the table.
 */
export function DataTable<Row>({ caption, columns: all, rows, keyOf, nameOf, sort, onSort, chosen, onChoose }: Props<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [offset, setOffset] = useState(0);
  const isVirtual = rows.length >= VIRTUAL_FROM;
  const isNarrow = useMediaQuery(NARROW);
  const columns = isNarrow ? all.filter((column) => !column.actions) : all;
  const actions = isNarrow ? all.filter((column) => column.actions) : [];
  const hidden = isNarrow && onSort ? all.filter(({ wide, sortable }) => wide && sortable) : [];
  /** The column of the row's name, which has the actions below it. */
  const nameColumn = columns.find(({ fit, align, wide }) => !fit && !wide && align === undefined) ?? columns[0];
  const wanted = useRef<number | null>(null);
  const lastChosen = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (!body.current) return;
    setOffset(body.current.getBoundingClientRect().top + window.scrollY);
  }, [isVirtual]);
  const virtual = useWindowVirtualizer({
    count: isVirtual ? rows.length : 0,
    estimateSize: () => ROW + (actions.length > 0 ? ACTIONS : 0),
    overscan: 20,
    scrollMargin: offset,
  });
  const items = isVirtual ? virtual.getVirtualItems().map(({ index }) => index) : rows.map((_, index) => index);
  const first = virtual.getVirtualItems()[0];
  const last = virtual.getVirtualItems().at(-1);
  const before = isVirtual && first ? first.start - offset : 0;
  const after = isVirtual && last ? virtual.getTotalSize() - (last.end - offset) : 0;

  /** What takes the focus of a row: its first link or button, else the row itself. */
  const targetOf = (index: number) => {
    const row = body.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`);
    return row?.querySelector<HTMLElement>('a[href], button') ?? row;
  };
  // A row far away is in the DOM only after scrolling.
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const target = targetOf(wanted.current);
    if (!target) return;
    wanted.current = null;
    target.focus();
  });

  const go = (index: number) => {
    const to = Math.min(Math.max(index, 0), rows.length - 1);
    const target = targetOf(to);
    if (target) target.focus();
    else {
      wanted.current = to;
      virtual.scrollToIndex(to);
    }
  };
  const toggle = (index: number, range: boolean) => {
    if (!chosen || !onChoose) return;
    const next = new Set(chosen);
    const row = rows[index];
    if (row === undefined) return;
    const on = !next.has(keyOf(row));
    const from = range && lastChosen.current !== null ? Math.min(lastChosen.current, index) : index;
    const to = range && lastChosen.current !== null ? Math.max(lastChosen.current, index) : index;
    for (const one of rows.slice(from, to + 1)) {
      if (on) next.add(keyOf(one));
      else next.delete(keyOf(one));
    }
    lastChosen.current = index;
    onChoose(next);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.matches('input:not([type="checkbox"]), select, textarea')) return;
    const at = Number(target.closest<HTMLElement>('tr[data-index]')?.dataset['index'] ?? -1);
    if (event.key === 'j' || event.key === 'ArrowDown') go(at + 1);
    else if (event.key === 'k' || event.key === 'ArrowUp') go(at - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(rows.length - 1);
    else if (event.key.toLowerCase() === 'x' && at >= 0 && onChoose) toggle(at, event.shiftKey);
    else return;
    event.preventDefault();
  };

  const isAll = chosen !== undefined && rows.length > 0 && rows.every((row) => chosen.has(keyOf(row)));
  const sorting = sort?.descending ? ('descending' as const) : ('ascending' as const);
  const table = (
    // The keys act on its links and checkboxes; the table itself takes no focus.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it handles only keys that its rows do not
    <table className="data-table" onKeyDown={onKeyDown} {...(isVirtual && { 'aria-rowcount': rows.length + 1 })}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {chosen && onChoose ? (
            <th scope="col" className="data-table__choose">
              <input
                type="checkbox"
                className="switch__input"
                aria-label="Select all"
                checked={isAll}
                onChange={() => onChoose(isAll ? new Set() : new Set(rows.map(keyOf)))}
              />
            </th>
          ) : null}
          {columns.map((column) => (
            <th key={column.id} scope="col" className={classOf(column)} {...(sort?.by === column.id && { 'aria-sort': sorting })}>
              {column.sortable && onSort ? <SortButton column={column} sort={sort} onSort={onSort} /> : column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {before > 0 ? <tr aria-hidden="true" style={{ height: before }} /> : null}
        {items.map((index) => {
          const row = rows[index];
          if (row === undefined) return null;
          const key = keyOf(row);
          const isChosen = chosen?.has(key) === true;
          return (
            <tr
              key={key}
              data-index={index}
              tabIndex={-1}
              className={isChosen ? 'data-table__row--chosen' : undefined}
              {...(isVirtual && { 'aria-rowindex': index + 2 })}
            >
              {chosen && onChoose ? (
                <td className="data-table__choose">
                  <input
                    type="checkbox"
                    className="switch__input"
                    aria-label={`Select ${nameOf(row)}`}
                    checked={isChosen}
                    onChange={(event) => toggle(index, (event.nativeEvent as unknown as { shiftKey?: boolean }).shiftKey === true)}
                  />
                </td>
              ) : null}
              {columns.map((column) => (
                <td key={column.id} className={classOf(column)}>
                  {column.cell(row)}
                  {actions.length > 0 && column === nameColumn ? <RowActions columns={actions} row={row} /> : null}
                </td>
              ))}
            </tr>
          );
        })}
        {after > 0 ? <tr aria-hidden="true" style={{ height: after }} /> : null}
      </tbody>
    </table>
  );
  if (hidden.length === 0 || !onSort) return table;
  return (
    <>
      <p className="data-table__sorts">
        Sort by
        {hidden.map((column) => (
          <SortButton key={column.id} column={column} sort={sort} onSort={onSort} state={sort?.by === column.id ? sorting : null} />
        ))}
      </p>
      {table}
    </>
  );
}

interface SortProps<Row> {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: (by: string) => void;
  /** The order by this column, where no `aria-sort` of a header says it. */
  state?: 'ascending' | 'descending' | null;
}

function SortButton<Row>({ column: { id, header }, sort, onSort, state = null }: SortProps<Row>) {
  return (
    <button type="button" className="data-table__sort" onClick={() => onSort(id)}>
      {header}
      {state ? <span className="visually-hidden">{`, ${state}`}</span> : null}
      {sort?.by === id ? <Icon name={sort.descending ? 'chevronDown' : 'chevronUp'} /> : null}
    </button>
  );
}

/** A row's actions on a narrow screen. */
function RowActions<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return (
    <span className="data-table__row-actions">
      {columns.map((column) => (
        <Fragment key={column.id}>{column.cell(row)}</Fragment>
      ))}
    </span>
  );
}

const classOf = <Row,>({ align, wide, fit }: Column<Row>) =>
  ['data-table__cell', align === 'end' && 'data-table__cell--end', wide && 'data-table__cell--wide', fit && 'data-table__cell--fit'].filter(Boolean).join(' ');
