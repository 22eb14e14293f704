import { useSyncExternalStore } from 'react';
import { Icon } from '@/ui/Icon';

const subscribe = (listener: () => void) => {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
};

export function OfflineNotice() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {online ? null : (
        <p className="offline">
          <Icon name="offline" />
          You are offline. What is on the page stays; the rest has to wait.
        </p>
      )}
    </div>
  );
}
