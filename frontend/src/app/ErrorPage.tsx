import { useEffect, useState } from 'react';
import { isRouteErrorResponse, useLocation, useNavigate, useRouteError } from 'react-router';
import { isNotFound } from '@/api/errors';
import { site } from '@/lib/site';
import { useOnline } from '@/lib/useOnline';
import { useTitle } from '@/lib/useTitle';
import { Button } from '@/ui/Button';
import { NotFound } from '@/ui/NotFound';
import { EmptyState } from '@/ui/State';

/** Shown for a page that failed. Reloading fixes a chunk that is gone after an upgrade. */
export function ErrorPage() {
  const error = useRouteError();
  const missing = isNotFound(error) || (isRouteErrorResponse(error) && error.status === 404);
  return missing ? <NotFound /> : <PageError />;
}

function PageError() {
  const online = useOnline();
  // A page that was requested offline is retried when the connection is back; a reload would show the browser's own error.
  const [wasOffline] = useState(!online);
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const retry = () => void navigate({ pathname, search, hash }, { replace: true });
  const back = wasOffline && online;
  useEffect(() => {
    if (back) void navigate({ pathname, search, hash }, { replace: true });
  }, [back, navigate, pathname, search, hash]);
  useTitle(wasOffline ? 'Offline' : 'Error');
  if (wasOffline) {
    return (
      <div className="page" role="alert">
        <EmptyState level={1} title="You are offline" actions={<Button onClick={retry}>Try again</Button>}>
          <p>This page has not been here before. It comes when the connection is back.</p>
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="page" role="alert">
      <EmptyState level={1} title="This page could not be shown" actions={<Button onClick={() => window.location.reload()}>Reload the page</Button>}>
        <p>{`The connection may have broken, or ${site.name} was just updated. Reloading usually helps.`}</p>
      </EmptyState>
    </div>
  );
}
