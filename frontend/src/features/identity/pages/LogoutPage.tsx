import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { call } from '@/api/client';
import { session } from '@/api/session';
import { removeDrafts } from '@/domain/drafts';
import { clearSearches } from '@/domain/recentSearches';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';

/** Ends the session here at once, and at the server if it can be reached; then shows the front page in either case. */
async function endSession(): Promise<void> {
  const loggedOut = call('POST /api/user/logout'); // sent with the token, before it is removed
  session.end('left');
  removeDrafts();
  clearSearches();
  await loggedOut.catch(() => undefined);
}

let leaving: Promise<void> | null = null;

export function Component() {
  useTitle(ROUTES.logout.title);
  const navigate = useNavigate();
  useEffect(() => {
    // One logout for each visit: React mounts twice in development.
    leaving ??= endSession().finally(() => {
      leaving = null;
    });
    let here = true;
    void leaving.then(() => {
      if (here) void navigate(paths.front, { replace: true });
    });
    return () => {
      here = false;
    };
  }, [navigate]);
  return (
    <div className="page">
      <div className="state">
        <h1 className="state__title" role="status">
          Logging you out.
        </h1>
      </div>
    </div>
  );
}
