import { Navigate, useSearchParams } from 'react-router';
import { ApiError } from '@/api/errors';
import { safeRedirect } from '@/lib/redirect';
import { loginFor, paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState, ErrorState } from '@/ui/State';

/** Explains why nothing can be paid for here. */
export function CheckoutUnavailable({ planId, error, onRetry }: { planId: string; error: unknown; onRetry: () => void }) {
  const [params] = useSearchParams();
  const target = safeRedirect(params.get('redirect'));
  if (error instanceof ApiError && error.notLoggedIn) return <Navigate to={loginFor(paths.payment(planId))} replace />;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState
        level={1}
        title="Invalid plan id"
        actions={
          <LinkButton kind="primary" to={paths.try}>
            See plans
          </LinkButton>
        }
      >
        <p>There is nothing to buy at this address.</p>
      </EmptyState>
    );
  }
  if (error instanceof ApiError && error.code === 'switch_unavailable') {
    return (
      <EmptyState
        level={1}
        title="Another plan is running"
        actions={
          <LinkButton kind="primary" to={paths.account}>
            Your account
          </LinkButton>
        }
      >
        <p>{error.message}</p>
      </EmptyState>
    );
  }
  if (error instanceof ApiError && error.code === 'already_subscribed') {
    return (
      <EmptyState
        level={1}
        title="You already have this plan"
        actions={
          <>
            <LinkButton kind="primary" to={target ?? paths.books}>
              {target === null ? 'Browse book summaries' : 'Go back to where you were'}
            </LinkButton>
            <LinkButton to={paths.account}>Your account</LinkButton>
          </>
        }
      >
        <p>{error.message}</p>
      </EmptyState>
    );
  }
  return <ErrorState level={1} error={error} onRetry={onRetry} />;
}
