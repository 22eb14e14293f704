import { useQuery } from '@tanstack/react-query';
import { securityQuery } from '@/shared/session/security';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/State';

/** Shown instead of pages for a higher role (identity.role-check). Tells an admin without a strong session what is missing. */
export function AccessPage() {
  useTitle(ROUTES.admin.title);
  const { data } = useQuery(securityQuery());
  const weak = data?.secondFactor.required === true && !data.secondFactor.strong;
  return (
    <div className="page">
      <EmptyState
        level={1}
        title="You do not have access to this page."
        actions={
          <>
            {weak ? (
              <LinkButton kind="primary" to={paths.account}>
                Protect your account
              </LinkButton>
            ) : null}
            <LinkButton to={paths.home}>My Home</LinkButton>
          </>
        }
      >
        {weak ? <p>Your role takes effect once you have logged in with a second factor or a passkey. Set one up in your account, then come back.</p> : null}
      </EmptyState>
    </div>
  );
}
