// Table columns that several lists share.
import { Link } from 'react-router';
import { PublicationBadge } from '@/features/admin/components/publication';
import type { Publication } from '@/features/admin/components/publication';
import { formatMoment, isoDate } from '@/lib/format';
import type { Column } from '@/ui/records/DataTable';

export const idColumn = <Row extends { id: number }>(header = 'Id'): Column<Row> => ({
  id: 'id',
  header,
  cell: ({ id }) => id,
  sortable: true,
  align: 'end',
  fit: true,
});

/** A column with a link per row, to an action on it. */
export const linkColumn = <Row,>(header: string, to: (row: Row) => string, nameOf: (row: Row) => string): Column<Row> => ({
  id: `to ${header}`,
  header,
  cell: (row) => (
    <Link className="link" to={to(row)} aria-label={`${header}: ${nameOf(row)}`}>
      {header}
    </Link>
  ),
  fit: true,
  actions: true,
});

/** The name column, which links to the row's form. */
export const nameColumn = <Row,>(id: string, header: string, to: (row: Row) => string, nameOf: (row: Row) => string): Column<Row> => ({
  id,
  header,
  cell: (row) => (
    <Link className="data-table__title" to={to(row)}>
      {nameOf(row)}
    </Link>
  ),
  sortable: true,
});

/** The name column, with the status below the name where there is no room for a column of its own. */
export const publishedNameColumn = <Row extends Publication>(to: (row: Row) => string, nameOf: (row: Row) => string): Column<Row> => ({
  ...nameColumn('title', 'Title', to, nameOf),
  cell: (row) => (
    <>
      <Link className="data-table__title" to={to(row)}>
        {nameOf(row)}
      </Link>
      <span className="data-table__under">
        <PublicationBadge row={row} />
      </span>
    </>
  ),
});

/** Whether a row is published, and from when. */
export const publicationColumn = <Row extends Publication>(): Column<Row> => ({
  id: 'state',
  header: 'Status',
  cell: (row) => <PublicationBadge row={row} />,
  fit: true,
  wide: true,
});

/** When a row was added: the date, or with `local` date and time in the editor's time zone. */
export const dateAddedColumn = <Row extends { createDate: number }>(local: boolean): Column<Row> => ({
  id: 'createDate',
  header: 'Date Added',
  cell: ({ createDate }) => (local ? formatMoment(createDate) : isoDate(createDate)),
  sortable: true,
  fit: true,
  wide: true,
});

export const countColumn = <Row extends { bookCount: number }>(): Column<Row> => ({
  id: 'bookCount',
  header: 'Books',
  cell: ({ bookCount }) => bookCount,
  sortable: true,
  align: 'end',
  fit: true,
});

/** A thumbnail column. */
export const pictureColumn = <Row,>(header: string, urlOf: (row: Row) => string | null): Column<Row> => ({
  id: `picture ${header}`,
  header,
  cell: (row) => {
    const url = urlOf(row);
    return url === null ? (
      <span className="data-table__faint">None</span>
    ) : (
      <img className="admin__thumb" src={url} alt="" loading="lazy" width="36" height="27" />
    );
  },
  fit: true,
  wide: true,
});
