import { useEffect, useState } from 'react';
import { isRouteErrorResponse, useLocation, useNavigate, useRouteError } from 'react-router';
import { isNotFound } from '@/api/errors';
import { site } from '@/lib/site';
import { useOnline } from '@/lib/useOnline';
import { useTitle } from '@/lib/useTitle';
import { Button } from '@/ui/Button';
import { NotFound } from '@/ui/NotFound';
import { EmptyState, NotHere } from '@/ui/State';

const RELOADED = 'pith-reloaded';
/** Minimum time between two automatic reloads, in milliseconds. */
const RELOAD_EVERY = 60_000;

/** Whether a chunk could not be fetched: it is gone after an upgrade, or the network is down. */
const isMissingChunk = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'ChunkLoadError' || (error as { code?: string }).code === 'CSS_CHUNK_LOAD_FAILED');

/** Whether an automatic reload is allowed now; records it. False without storage, so that reloads can't loop. */
function takeReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < RELOAD_EVERY) return false;
    sessionStorage.setItem(RELOADED, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}

/** The route error boundary. A chunk that is gone after an upgrade causes one automatic reload. */
export function ErrorPage() {
  const error = useRouteError();
  const missing = isNotFound(error) || (isRouteErrorResponse(error) && error.status === 404);
  const isUpgraded = isMissingChunk(error) && navigator.onLine;
  useEffect(() => {
    if (isUpgraded && takeReload()) window.location.reload();
  }, [isUpgraded]);
  return missing ? <NotFound /> : <PageError />;
}

function PageError() {
  const online = useOnline();
  // A page that was requested offline is retried when the connection is back; a reload would show the browser's own error page.
  const [wasOffline] = useState(!online);
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const retry = () => void navigate({ pathname, search, hash }, { replace: true });
  useTitle(wasOffline ? 'Offline' : 'Error');
  if (wasOffline) {
    return (
      <div className="page" role="alert">
        <NotHere level={1} onRetry={retry} />
      </div>
    );
  }
  return (
    <div className="page" role="alert">
      <EmptyState level={1} title="This page could not be shown" actions={<Button onClick={() => window.location.reload()}>Reload the page</Button>}>
        <p>{`The connection may have been lost, or ${site.name} was just updated. Reloading usually helps.`}</p>
      </EmptyState>
    </div>
  );
}
