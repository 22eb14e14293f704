import { useOnline } from '@/lib/useOnline';
import { Icon } from '@/ui/Icon';

export function OfflineNotice() {
  const online = useOnline();
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
