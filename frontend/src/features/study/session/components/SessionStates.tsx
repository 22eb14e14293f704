// What stands in place of a session's ideas: while it is built, and when there are none.
import type { SessionRequest } from '@/features/study/session/request';
import { paths, plansFor } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { SkeletonText } from '@/ui/Skeleton';
import { EmptyState } from '@/ui/State';

export function SessionSkeleton() {
  return (
    <div className="session__waiting" role="status">
      <span className="visually-hidden">Loading your session</span>
      <div className="session-idea__from" aria-hidden="true">
        <span className="skeleton skeleton--cover session-idea__cover" />
        <div className="session__waiting-book">
          <SkeletonText width={45} />
          <SkeletonText width={30} />
        </div>
      </div>
      <div className="session__waiting-text" aria-hidden="true">
        {[70, 98, 100, 94, 99, 91, 97, 45].map((width) => (
          <SkeletonText key={width} width={width} />
        ))}
      </div>
    </div>
  );
}

/** No idea may be read, or none fits. */
export function NoIdeas({ request, isPaid }: { request: SessionRequest; isPaid: boolean }) {
  const { minutes, topic } = request;
  return (
    <EmptyState
      title={topic ? `No ideas on “${topic}” for you yet` : 'No ideas for you yet'}
      actions={
        <>
          {isPaid ? null : (
            <LinkButton kind="primary" to={plansFor(paths.sessionOf(minutes, topic))}>
              Upgrade
            </LinkButton>
          )}
          <LinkButton to={paths.session} state={request}>
            {topic ? 'Choose another topic' : 'Choose a topic'}
          </LinkButton>
        </>
      }
    >
      <p>
        {isPaid
          ? 'A session leaves out what you have completed lately. Another topic has other ideas.'
          : 'Without a plan, a session has what you may read: free summaries, and those you have opened.'}
      </p>
    </EmptyState>
  );
}
