import { Link } from 'react-router';
import { OFFLINE } from '@/api/errors';
import { currentPlayer, useListening } from '@/shared/listening/listening';
import type { Failure } from '@/shared/listening/listening';
import { loginFor, paths, plansFor } from '@/paths';
import { Button } from '@/ui/Button';

const TEXTS: Record<Failure, string> = {
  login: 'Log in to listen to this summary.',
  upgrade: 'Upgrade to listen to this summary.',
  missing: 'No audio available yet for this book.',
  offline: OFFLINE,
  broken: 'The audio could not be played.',
};

/** Why nothing plays. Says "offline" only if the device is, not when just the server can't be reached. */
export const playerErrorText = (failure: Failure): string => TEXTS[failure === 'offline' && navigator.onLine ? 'broken' : failure];

/** Shown while playback waits for the connection. */
export const OFFLINE_WAIT = 'You are offline. It will keep playing when the connection is back.';

/** Why nothing plays, and what to do. */
export function PlayerError({ failure }: { failure: Failure }) {
  const page = useListening((now) => now?.track.page ?? paths.book(now?.track.subid ?? ''));
  return (
    <div className="player-error">
      <p>{playerErrorText(failure)}</p>
      {failure === 'login' ? (
        <Link className="link" to={loginFor(page)}>
          Log in
        </Link>
      ) : null}
      {failure === 'upgrade' ? (
        <Link className="link" to={plansFor(page)}>
          Upgrade
        </Link>
      ) : null}
      {failure === 'broken' || failure === 'offline' ? <Button onClick={() => currentPlayer()?.retry()}>Try again</Button> : null}
    </div>
  );
}
