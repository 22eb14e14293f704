import { isRouteErrorResponse, useRouteError } from 'react-router';
import { isNotFound } from '@/api/errors';
import { useTitle } from '@/lib/useTitle';
import { Button } from '@/ui/Button';
import { NotFound } from '@/ui/NotFound';
import { EmptyState } from '@/ui/State';

/** What a broken page shows instead of nothing. A chunk that is gone after an upgrade is healed by loading anew. */
export function ErrorPage() {
  const error = useRouteError();
  const missing = isNotFound(error) || (isRouteErrorResponse(error) && error.status === 404);
  return missing ? <NotFound /> : <Broken />;
}

function Broken() {
  useTitle('Error');
  return (
    <div className="page" role="alert">
      <EmptyState level={1} title="This page could not be shown" actions={<Button onClick={() => window.location.reload()}>Reload the page</Button>}>
        <p>The connection may have broken, or Pith was just updated. Reloading usually helps.</p>
      </EmptyState>
    </div>
  );
}
