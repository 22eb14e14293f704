import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { site } from '@/lib/site';
import { storeRedirect } from '@/shared/session/signIn';
import { safeGoback } from '@/features/identity/goback';
import { leaveSite } from '@/features/identity/leaveSite';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';

/** /goback: stores the return path and redirects, within this site or to a provider (identity.goback-target). */
export function Component() {
  useTitle(ROUTES.goback.title);
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const to = params.get('goback');
  const target = params.get('redirect');
  useEffect(() => {
    const where = safeGoback(to, site.providerOrigins);
    if (where && target !== null) storeRedirect(target);
    if (where && 'away' in where) leaveSite(where.away);
    else void navigate(where?.path ?? paths.front, { replace: true });
  }, [navigate, to, target]);
  return (
    <div className="page">
      <div className="state">
        <h1 className="state__title" role="status">
          Taking you there.
        </h1>
      </div>
    </div>
  );
}
