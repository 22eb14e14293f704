import { Link } from 'react-router';
import { useServerAnswers } from '@/api/reach';
import { useSignedIn } from '@/api/session';
import { useOnline } from '@/lib/useOnline';
import { site } from '@/lib/site';
import { paths } from '@/paths';
import { Icon } from '@/ui/Icon';

/** Tells the viewer that the device is offline, or that the site can't be reached, and what still works. */
export function OfflineNotice() {
  const online = useOnline();
  const answers = useServerAnswers();
  const what = online ? `${site.name} can’t be reached.` : 'You are offline.';
  const signedIn = useSignedIn();
  return (
    <div role="status">
      {online && answers ? null : (
        <p className="offline">
          <Icon name="offline" />
          {signedIn ? (
            <span>
              {`${what} `}
              <Link to={paths.onThisDevice}>What you have opened</Link> is here, and what you do will be sent later.
            </span>
          ) : (
            `${what} What is on the page stays; the rest has to wait.`
          )}
        </p>
      )}
    </div>
  );
}
