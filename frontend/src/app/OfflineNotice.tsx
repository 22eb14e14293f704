import { Link } from 'react-router';
import { useSignedIn } from '@/api/session';
import { useOnline } from '@/lib/useOnline';
import { paths } from '@/paths';
import { Icon } from '@/ui/Icon';

/** Says that the device is offline, and what that means. */
export function OfflineNotice() {
  const online = useOnline();
  const signedIn = useSignedIn();
  return (
    <div role="status">
      {online ? null : (
        <p className="offline">
          <Icon name="offline" />
          {signedIn ? (
            <span>
              You are offline. <Link to={paths.onThisDevice}>What you have opened</Link> is here, and what you do is sent later.
            </span>
          ) : (
            'You are offline. What is on the page stays; the rest has to wait.'
          )}
        </p>
      )}
    </div>
  );
}
