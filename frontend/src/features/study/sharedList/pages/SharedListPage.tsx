import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import { FinishedMark, ListHead, ListHeadSkeleton } from '@/features/study/components/ListHead';
import { FollowButton } from '@/features/study/sharedList/components/FollowButton';
import { sharedListQuery } from '@/features/study/sharedList/queries';
import type { SharedList } from '@/features/study/sharedList/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { loginFor, paths, signupFor } from '@/paths';
import { Alert } from '@/ui/Alert';
import { BookGrid } from '@/ui/BookCard';
import { LinkButton } from '@/ui/Button';
import { NotFound } from '@/ui/NotFound';
import { ShareButton } from '@/ui/ShareButton';
import { SkeletonBooks } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';

export const loader = async ({ params }: LoaderFunctionArgs) => {
  await settleBeforeFirstRender(queryClient.query(sharedListQuery(params['slug'] ?? '')));
  return null;
};

/** /list/{slug}: a list that its owner shares, as everybody sees it (study.shared-list). */
export function Component() {
  useSignedIn();
  const { slug = '' } = useParams();
  const { data, error, isPending, refetch } = useQuery(sharedListQuery(slug));
  const missing = isNotFound(error);
  useTitle(missing ? undefined : (data?.list.name ?? 'List'));
  if (missing) return <NotFound what="This list isn’t shared." to={paths.books} label="Browse book summaries" />;
  return (
    <div className="page">
      {data ? (
        <List key={slug} list={data.list} />
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

function List({ list }: { list: SharedList }) {
  const { name, note, books } = list;
  const finished = new Set(list.completed);
  return (
    <>
      <ListHead name={name} note={note} books={books}>
        <Actions list={list} />
      </ListHead>
      {books.length === 0 ? (
        <EmptyState title="This list has no summaries yet" actions={<LinkButton to={paths.books}>Browse book summaries</LinkButton>} />
      ) : (
        <>
          <h2 className="visually-hidden">Summaries</h2>
          <BookGrid books={books} eager={5} note={({ id }) => (finished.has(id) ? <FinishedMark /> : null)} />
        </>
      )}
    </>
  );
}

function Actions({ list }: { list: SharedList }) {
  const signedIn = useSignedIn();
  const [failure, setFailure] = useState<string | null>(null);
  const { slug, name, ownId } = list;
  const path = paths.sharedList(slug);
  return (
    <>
      {ownId === null ? null : (
        <p>
          This is your list.{' '}
          <Link className="link" to={paths.list(ownId)}>
            Change it
          </Link>
        </p>
      )}
      <div className="list-head__actions">
        {!signedIn ? (
          <>
            <LinkButton kind="primary" to={signupFor(path)}>
              Sign up to follow this list
            </LinkButton>
            <LinkButton kind="quiet" to={loginFor(path)}>
              Log in
            </LinkButton>
          </>
        ) : ownId === null ? (
          <FollowButton list={list} onFailure={setFailure} />
        ) : null}
        <ShareButton path={path} title={name} />
      </div>
      {failure === null ? null : <Alert kind="harm">{failure}</Alert>}
    </>
  );
}
