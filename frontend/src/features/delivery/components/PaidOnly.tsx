import type { ReactNode } from 'react';
import { accountQuery } from '@/shared/session/account';
import { plansFor } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { SkeletonText } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';
import { useQuery } from '@tanstack/react-query';

/** Content for paid members; others see a link to the plans (delivery.paid-only). */
export function PaidOnly({ children }: { children: ReactNode }) {
  const { data: user, error, refetch } = useQuery(accountQuery());
  if (user?.isPaid) return <>{children}</>;
  if (user) {
    return (
      <EmptyState
        title="Summaries on your Kindle come with a plan"
        actions={
          <LinkButton kind="primary" to={plansFor(window.location.pathname)}>
            Upgrade
          </LinkButton>
        }
      >
        <p>Members with a plan can send any summary to it as a book of its own.</p>
      </EmptyState>
    );
  }
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <FileSkeleton label="Loading" />;
}

/** The skeleton of a page's text. */
export const FileSkeleton = ({ label }: { label: string }) => (
  <div role="status" className="kindle__waiting">
    <span className="visually-hidden">{label}</span>
    <SkeletonText width={50} />
    <SkeletonText width={80} />
    <SkeletonText width={65} />
  </div>
);
