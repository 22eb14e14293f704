import { useIsFetching } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import type { Router } from '@/app/router';

/** Sets `data-app` on <html>: `ready` once the page is rendered and nothing is being fetched, else `busy`. The browser tests wait for it. */
export function ReadyMarker({ router }: { router: Router }) {
  const fetching = useIsFetching() > 0;
  const subscribe = useCallback((listener: () => void) => router.subscribe(listener), [router]);
  const navigating = useSyncExternalStore(subscribe, () => router.state.navigation.state !== 'idle');
  useEffect(() => {
    document.documentElement.dataset['app'] = fetching || navigating ? 'busy' : 'ready';
  }, [fetching, navigating]);
  return null;
}
