import '@/features/site/setup/setup.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { NextSteps } from '@/features/site/setup/components/NextSteps';
import type { FinishedSetup } from '@/features/site/setup/components/NextSteps';
import { SetupForm } from '@/features/site/setup/components/SetupForm';
import { setupQuery } from '@/features/site/setup/queries';
import { useFragment } from '@/shared/session/useFragment';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES } from '@/paths';
import { NotFound } from '@/ui/NotFound';
import { SkeletonText } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/State';

export const loader = () => settleBeforeFirstRender(queryClient.query(setupQuery()));

/** The token in the fragment of the link that the server prints, `#token=…`; null when there is none. */
const tokenOf = (fragment: string | null): string | null => new URLSearchParams(fragment ?? '').get('token');

/** /setup: names the site, makes its first admin and loads content, once. Not found when the site is set up (admin.setup-page). */
export function Component() {
  const token = tokenOf(useFragment());
  const { data, error, refetch } = useQuery(setupQuery());
  const [finished, setFinished] = useState<FinishedSetup | null>(null);
  const missing = !data && isNotFound(error);
  useTitle(missing ? undefined : ROUTES.setup.title);
  if (finished) return <NextSteps {...finished} />;
  if (data) return <SetupForm setup={data} linkToken={token} onFinished={setFinished} />;
  if (missing) return <NotFound />;
  return (
    <div className="page setup">
      <h1 className="page__title">Set up the site</h1>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div role="status" className="setup__loading">
          <span className="visually-hidden">Loading</span>
          {[60, 80, 40].map((width) => (
            <SkeletonText key={width} width={width} />
          ))}
        </div>
      )}
    </div>
  );
}
