import '@/features/study/lists/lists.css';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { accountQuery, currentMember } from '@/shared/session/account';
import { otherListsQuery } from '@/features/study/lists/queries';
import { listsChunk } from '@/features/study/lists/listsChunk';
import { OwnListSkeleton } from '@/features/study/lists/components/ListsSkeleton';
import { useChunk } from '@/ui/chunk';
import { ErrorState } from '@/ui/State';

export const loader = async () => {
  queryClient.query(otherListsQuery()).catch(() => undefined);
  return (await listsChunk.load()).loadRecords();
};

/** /lists/{id}: a list of the member's own (study.list-pages). */
export function Component() {
  const { id = '' } = useParams();
  const account = useQuery(accountQuery());
  const member = account.data?.id ?? currentMember();
  const loaded = useChunk(listsChunk);
  if (member !== null && loaded) return <loaded.OwnList key={`${member} ${id}`} member={member} id={Number(id)} />;
  return (
    <div className="page own-list">
      {account.isError && member === null ? <ErrorState level={1} error={account.error} onRetry={() => void account.refetch()} /> : <OwnListSkeleton />}
    </div>
  );
}
