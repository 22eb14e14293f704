import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { LoadMore } from '@/ui/LoadMore';
import { DataTable } from '@/ui/records/DataTable';
import type { Column } from '@/ui/records/DataTable';

interface Props<P, Row> {
  /** The table's accessible name: 'Orders'. */
  caption: string;
  pages: UseInfiniteQueryResult<InfiniteData<P>>;
  rowsOf: (page: P) => readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  /** Shown instead of a table without rows. */
  empty: ReactNode;
  chosen?: ReadonlySet<string>;
  onChoose?: (keys: ReadonlySet<string>) => void;
}

/** A paginated table, with its loading, empty and error states. */
export function PagedTable<P, Row>({ caption, pages, rowsOf, columns, keyOf, nameOf, empty, chosen, onChoose }: Props<P, Row>) {
  const { data, error, refetch, hasNextPage } = pages;
  const rows = data?.pages.flatMap(rowsOf) ?? [];
  return (
    <>
      {!data && error ? <PageError error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <RowsSkeleton label={`Loading: ${caption}`} /> : null}
      {data && rows.length === 0 && !hasNextPage ? empty : null}
      {rows.length > 0 ? (
        <DataTable caption={caption} columns={columns} rows={rows} keyOf={keyOf} nameOf={nameOf} {...(chosen && onChoose && { chosen, onChoose })} />
      ) : null}
      <LoadMore list={pages}>Load More</LoadMore>
    </>
  );
}
