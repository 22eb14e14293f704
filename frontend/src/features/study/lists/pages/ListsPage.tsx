import '@/features/study/lists/lists.css';
import { useQuery } from '@tanstack/react-query';
import { queryClient } from '@/api/queryClient';
import { useTitle } from '@/lib/useTitle';
import { ROUTES } from '@/paths';
import { accountQuery, currentMember } from '@/shared/session/account';
import { otherListsQuery } from '@/features/study/lists/queries';
import { listsChunk } from '@/features/study/lists/listsChunk';
import { EntriesSkeleton } from '@/features/study/lists/components/ListsSkeleton';
import { useChunk } from '@/ui/chunk';
import { ErrorState } from '@/ui/State';

export const loader = async () => {
  queryClient.query(otherListsQuery()).catch(() => undefined);
  return (await listsChunk.load()).loadRecords();
};

/** /lists: the member's own lists, those that they follow and those of their team (study.list-pages). */
export function Component() {
  useTitle(ROUTES.lists.title);
  const account = useQuery(accountQuery());
  const member = account.data?.id ?? currentMember();
  const loaded = useChunk(listsChunk);
  if (member !== null && loaded) return <loaded.Lists key={member} member={member} />;
  return (
    <div className="page lists">
      <div className="lists__head">
        <h1 className="page__title">{ROUTES.lists.title}</h1>
      </div>
      {account.isError && member === null ? (
        <ErrorState error={account.error} onRetry={() => void account.refetch()} />
      ) : (
        <section className="lists__section">
          <h2 className="lists__heading">My lists</h2>
          <EntriesSkeleton label="Loading your lists" />
        </section>
      )}
    </div>
  );
}
