import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { call } from '@/api/client';
import { session } from '@/api/session';
import { forgetDrafts } from '@/domain/drafts';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';

/** Ends the session here at once and at the server if it can be reached; then the front page, whatever it said. */
async function leave(): Promise<void> {
  const told = call('POST /api/user/logout'); // takes the token along before it is gone
  session.end('left');
  forgetDrafts();
  await told.catch(() => undefined);
}

let leaving: Promise<void> | null = null;

export function Component() {
  useTitle(ROUTES.logout.title);
  const navigate = useNavigate();
  useEffect(() => {
    // One logout for one visit, however often React mounts.
    leaving ??= leave().finally(() => {
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
