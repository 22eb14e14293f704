import { useQuery } from '@tanstack/react-query';
import { hintsPaid } from '@/api/hints';
import { queryClient } from '@/api/queryClient';
import { completedOf, sessionQuery } from '@/features/study/session/queries';
import type { SessionIdea } from '@/features/study/session/queries';
import type { SessionRequest } from '@/features/study/session/request';
import { accountQuery, currentMember } from '@/shared/session/account';
import { useCompletedIdeas } from '@/shared/study/completedIdeas';

const NONE: readonly SessionIdea[] = [];

/** The session of a request, with what was completed of it on this page. */
export function useSession(request: SessionRequest) {
  const account = useQuery(accountQuery());
  const session = useQuery(sessionQuery(request));
  const isCompleted = useCompletedIdeas(session.dataUpdatedAt);
  const member = account.data?.id ?? currentMember();
  const ideas = member === null ? NONE : (session.data?.ideas ?? NONE);
  const isDone = (idea: SessionIdea) => isCompleted(completedOf(idea));
  return {
    member,
    isPaid: account.data?.isPaid ?? hintsPaid(),
    /** Null while it is built. */
    session: member === null ? null : (session.data ?? null),
    ideas,
    isDone,
    isOver: ideas.length > 0 && ideas.every(isDone),
    error: session.error ?? (member === null ? account.error : null),
    retry: () => {
      if (session.isError) void session.refetch();
      if (account.isError) void account.refetch();
    },
    /** Makes a new session. */
    renew: () => {
      void queryClient.resetQueries({ queryKey: sessionQuery(request).queryKey });
      // A static query is fetched by its own call only.
      void session.refetch();
    },
  };
}
