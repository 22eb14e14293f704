import { useQuery } from '@tanstack/react-query';
import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { ListPage } from '@/features/admin/components/ListPage';
import { ListSearch } from '@/features/admin/components/ListSearch';
import { PageError } from '@/features/admin/components/PageError';
import { deleteColumn } from '@/features/admin/components/deleteColumn';
import type { Deletable } from '@/features/admin/components/deletions';
import { deletionKey } from '@/features/admin/components/deletions';
import { usePendingDeletions } from '@/features/admin/components/pendingDeletions';
import { OrderForm } from '@/features/admin/components/OrderForm';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { useFilterParams } from '@/lib/useFilterParams';
import { useTitle } from '@/lib/useTitle';
import { Button, LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/State';
import { DataTable } from '@/ui/records/DataTable';
import type { Column, Sort } from '@/ui/records/DataTable';
import { sortOn } from '@/ui/records/sortOn';
import { sorted } from '@/ui/records/sorted';

interface Props<Row> {
  title: string;
  query: UseQueryOptions<Row[], Error, Row[]> & { queryKey: QueryKey };
  columns: readonly Column<Row>[];
  nameOf: (row: Row) => string;
  /** A row's value in the column that the list is sorted by. */
  valueOf: (row: Row, by: string) => string | number | null;
  /** The default sort order. Without it rows are in the server's order. */
  sort?: Sort;
  add?: { label: string; to: string };
  /** The message for any failure to load, where the specification has one. */
  failure?: string;
  /** The kind of the rows, if they can be deleted. */
  deletes?: Deletable;
  /** Saves the order of all rows, given as ids. Without it editors can't change the order. */
  order?: (ids: readonly number[]) => Promise<unknown>;
  /** Shown in the empty list: how to begin. */
  hint?: string;
}

/** A list that is loaded completely, and searched and sorted in the browser. */
export function WholeList<Row extends { id: number }>({
  title,
  query,
  columns: shown,
  nameOf,
  valueOf,
  sort: first,
  add,
  failure,
  hint,
  deletes,
  order,
}: Props<Row>) {
  useTitle(title);
  const { data: all, error, refetch } = useQuery(query);
  const deleting = usePendingDeletions();
  const data = deletes === undefined ? all : all?.filter(({ id }) => !deleting.has(deletionKey(deletes, id)));
  const columns = deletes === undefined ? shown : [...shown, deleteColumn(deletes, nameOf)];
  const [search, change] = useFilterParams();
  const [ordering, setOrdering] = useState(false);
  const by = search.get('sort');
  const sort = by !== null && columns.some((column) => column.id === by && column.sortable) ? { by, descending: search.get('order') === 'desc' } : first;
  const q = search.get('q')?.trim().toLowerCase() ?? '';
  const found = (data ?? []).filter((row) => q === '' || String(row.id) === q || nameOf(row).toLowerCase().includes(q));
  const rows = sort ? sorted(found, sort, valueOf) : found;
  const set = (changes: Readonly<Record<string, string | null>>) =>
    change((next) => {
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) next.delete(name);
        else next.set(name, value);
      }
    });
  return (
    <ListPage
      title={title}
      total={data && { count: data.length, countCapped: false }}
      {...(add && { add })}
      tools={
        ordering ? null : (
          <>
            <ListSearch label={`Search ${title.toLowerCase()}`} />
            {order && data && data.length > 1 ? <Button onClick={() => setOrdering(true)}>Change the order</Button> : null}
          </>
        )
      }
    >
      {!data && error ? <PageError error={error} {...(failure !== undefined && { message: failure })} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <RowsSkeleton label={`Loading: ${title}`} /> : null}
      {data && rows.length === 0 ? (
        <EmptyState
          title={q === '' ? `No ${title.toLowerCase()} yet` : `No ${title.toLowerCase()} found.`}
          actions={
            q === '' && add ? (
              <LinkButton kind="primary" to={add.to}>
                {add.label}
              </LinkButton>
            ) : null
          }
        >
          {q === '' && hint ? <p>{hint}</p> : null}
        </EmptyState>
      ) : null}
      {ordering && data && order ? <OrderForm label={title} rows={data} nameOf={nameOf} save={order} onDone={() => setOrdering(false)} /> : null}
      {rows.length > 0 && !ordering ? (
        <DataTable
          caption={title}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => String(id)}
          nameOf={nameOf}
          {...(sort && { sort })}
          onSort={(by) => {
            const next = sortOn(sort ?? { by: '', descending: false }, by);
            set({ sort: next.by, order: next.descending ? 'desc' : 'asc' });
          }}
        />
      ) : null}
    </ListPage>
  );
}
