import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { ActionDialog } from '@/features/admin/components/ActionDialog';
import { ListPage } from '@/features/admin/components/ListPage';
import { ListSearch } from '@/features/admin/components/ListSearch';
import { PagedTable } from '@/features/admin/components/PagedTable';
import { TakeDownButton } from '@/features/admin/lists/TakeDownButton';
import { setTakenDown, sharedListsQuery } from '@/features/admin/lists/queries';
import type { SharedList } from '@/features/admin/lists/queries';
import { MemberLink } from '@/features/admin/money/MemberLink';
import { given, isFiltered, wordsOf } from '@/features/admin/money/filters';
import { readAgain } from '@/features/admin/paged';
import { ROUTES, paths } from '@/features/admin/paths';
import { forAdmins } from '@/features/admin/queries';
import { formatNumber, isoDate } from '@/lib/format';
import { useFilterParams } from '@/lib/useFilterParams';
import { useTitle } from '@/lib/useTitle';
import { EmptyState } from '@/ui/State';
import { toast } from '@/ui/toast';
import type { Column } from '@/ui/records/DataTable';

const filterOf = (search: URLSearchParams) => given({ q: wordsOf(search) });

export const loader = ({ request }: LoaderFunctionArgs) =>
  forAdmins(() => queryClient.infiniteQuery(sharedListsQuery(filterOf(new URL(request.url).searchParams))));

/** A list's state in words, and the class of its badge. */
function stateOf({ isTakenDown, sharing }: SharedList): { label: string; tone: string } {
  if (isTakenDown) return { label: 'Taken down', tone: 'badge--warn' };
  if (sharing === 'public') return { label: 'Public', tone: 'badge--free' };
  return { label: sharing === 'link' ? 'By link' : 'Private', tone: 'badge--soon' };
}

const columns = (onTakeDown: (list: SharedList) => void): readonly Column<SharedList>[] => [
  { id: 'name', header: 'Name', cell: ({ name }) => <span className="data-table__title">{name}</span> },
  { id: 'owner', header: 'Owner', cell: ({ owner }) => <MemberLink member={owner} /> },
  {
    id: 'slug',
    header: 'Address',
    cell: ({ slug }) =>
      slug === null ? null : (
        <Link className="link" to={paths.sharedList(slug)}>
          {slug}
        </Link>
      ),
    wide: true,
  },
  { id: 'books', header: 'Books', cell: ({ books }) => formatNumber(books), align: 'end', fit: true, wide: true },
  { id: 'followers', header: 'Followers', cell: ({ followers }) => formatNumber(followers), align: 'end', fit: true, wide: true },
  { id: 'sharedAt', header: 'Shared', cell: ({ sharedAt }) => (sharedAt === null ? '' : isoDate(sharedAt)), fit: true, wide: true },
  {
    id: 'state',
    header: 'Status',
    cell: (list) => <span className={`badge ${stateOf(list).tone}`}>{stateOf(list).label}</span>,
    fit: true,
  },
  {
    id: 'takeDown',
    header: 'Take down',
    cell: (list) => (list.isTakenDown || list.sharing !== 'private' ? <TakeDownButton list={list} onTakeDown={() => onTakeDown(list)} /> : null),
    fit: true,
    actions: true,
  },
];

/** /admin/lists: members' lists that are public, and those that were taken down (study.taken-down-lists). */
export function Component() {
  useTitle(ROUTES.adminLists.title);
  const [search, changeSearch] = useFilterParams();
  const filter = filterOf(search);
  const pages = useInfiniteQuery(sharedListsQuery(filter));
  const [asked, setAsked] = useState<SharedList | null>(null);
  const keepFocus = useFocusKept(pages.data);
  return (
    <ListPage title="Lists" tools={<ListSearch label="Name or link" />}>
      <PagedTable
        caption="Lists"
        pages={pages}
        rowsOf={(page) => page.lists}
        columns={columns(setAsked)}
        keyOf={({ key }) => key}
        nameOf={({ name }) => name}
        empty={
          <EmptyState title={isFiltered(filter) ? 'No lists match' : 'No public lists yet'}>
            <p>Lists of books that members have made public are listed here, and those that you take down. A list shared by link is found by its link.</p>
          </EmptyState>
        }
      />
      {asked ? (
        <ActionDialog
          title={`Take down “${asked.name}”?`}
          button="Take down"
          kind="harm"
          onClose={() => setAsked(null)}
          submit={async () => {
            await setTakenDown(asked, true);
            setAsked(null);
            toast(`“${asked.name}” was taken down.`);
            keepFocus();
            // Its link has ended: from now on the list is found by its name.
            if (asked.slug !== null && filter.q?.includes(asked.slug)) changeSearch((next) => next.set('q', asked.name));
            await readAgain('lists');
          }}
        >
          <p>Its page ends right away, also for those who follow it. The member keeps the list, and can’t share it until you allow it again.</p>
        </ActionDialog>
      ) : null}
    </ListPage>
  );
}

/** Returns what to call before the rows change: the title takes the focus when the row that had it is gone. */
function useFocusKept(rows: unknown): () => void {
  const isChanging = useRef(false);
  useEffect(() => {
    if (isChanging.current && document.activeElement === document.body) document.querySelector<HTMLElement>('h1[tabindex]')?.focus();
  }, [rows]);
  return () => {
    isChanging.current = true;
  };
}
