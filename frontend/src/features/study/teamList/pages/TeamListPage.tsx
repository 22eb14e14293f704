import '@/features/study/teamList/teamList.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { FinishedMark, ListHead, ListHeadSkeleton } from '@/features/study/components/ListHead';
import { Agreement } from '@/features/study/teamList/components/Agreement';
import { SharingMembers } from '@/features/study/teamList/components/SharingMembers';
import { finishedBy, finishedCount } from '@/features/study/teamList/finished';
import { teamListQuery } from '@/features/study/teamList/queries';
import type { TeamList } from '@/features/study/teamList/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { BackLink } from '@/ui/BackLink';
import { BookGrid } from '@/ui/BookCard';
import { NotFound } from '@/ui/NotFound';
import { SkeletonBooks } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';

export const loader = ({ params }: LoaderFunctionArgs) => settleBeforeFirstRender(queryClient.query(teamListQuery(params['id'] ?? '')));

/** /lists/team/{id}: a list that the buyer of seats has given to their team (study.team-lists). */
export function Component() {
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useQuery(teamListQuery(id));
  const missing = isNotFound(error);
  useTitle(missing ? undefined : (data?.list.name ?? 'List'));
  if (missing) return <NotFound what="Your team has no such list, or your seat has ended." to={paths.lists} label="Your lists" />;
  return (
    <div className="page">
      <BackLink to={paths.lists}>Lists</BackLink>
      {data ? (
        <List key={id} id={id} list={data.list} />
      ) : isPending ? (
        <>
          <ListHeadSkeleton />
          <SkeletonBooks count={10} label="Loading the list" />
        </>
      ) : (
        <ErrorState level={1} error={error} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

function List({ id, list }: { id: string; list: TeamList }) {
  const { name, note, books } = list;
  return (
    <>
      <ListHead name={name} note={note} books={books} from={<From list={list} />} />
      {/* The owner has given the list; those who have redeemed a seat are asked. */}
      {list.ownId === null ? <Agreement id={id} isAgreed={list.isAgreed} /> : null}
      {books.length === 0 ? (
        <EmptyState title="This list has no summaries yet" />
      ) : (
        <>
          <h2 className="visually-hidden">Summaries</h2>
          <BookGrid books={books} eager={5} note={(book) => <Finished members={list.members} bookId={book.id} />} />
          <SharingMembers list={list} />
        </>
      )}
    </>
  );
}

function From({ list: { owner, ownId } }: { list: TeamList }) {
  if (ownId === null) return owner === '' ? 'For your team' : `From ${owner}, for your team`;
  return (
    <>
      Your list, for your team.{' '}
      <Link className="link" to={paths.list(ownId)}>
        Change it
      </Link>
    </>
  );
}

function Finished({ members, bookId }: { members: TeamList['members']; bookId: number }) {
  const by = finishedBy(members, bookId);
  const count = finishedCount(members, bookId);
  return (
    <>
      {by === null ? null : <FinishedMark>{by}</FinishedMark>}
      {count === null ? null : <p className="team-list__finished">{count}</p>}
    </>
  );
}
