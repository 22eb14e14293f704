import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { router } from '@/app/router';

const subscribe = (listener: () => void) => router.subscribe(listener);
const isNavigating = () => router.state.navigation.state !== 'idle';

/** Marks <html> with `data-app`: `ready` while the page is drawn and nothing is fetched, else `busy`. The browser tests wait for it. */
export function ReadyMarker() {
  const fetching = useIsFetching() > 0;
  const navigating = useSyncExternalStore(subscribe, isNavigating);
  useEffect(() => {
    document.documentElement.dataset['app'] = fetching || navigating ? 'busy' : 'ready';
  }, [fetching, navigating]);
  return null;
}
