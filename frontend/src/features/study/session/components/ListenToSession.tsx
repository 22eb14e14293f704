import type { SessionIdea } from '@/features/study/session/queries';
import { currentPlayer, listen } from '@/shared/listening/listening';
import type { Track } from '@/shared/listening/listening';
import { plural } from '@/lib/format';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';

interface Props {
  track: Track;
  plays: boolean;
}

/** Plays the session, or pauses it. */
export function ListenToSession({ track, plays }: Props) {
  const press = () => {
    if (plays) currentPlayer()?.pause();
    else listen(track, {}).catch(() => toast('The player could not be loaded. Check your connection and try again.'));
  };
  return (
    <Button kind="primary" data-listen="" onClick={press}>
      <Icon name={plays ? 'pause' : 'headphones'} />
      {plays ? 'Pause' : 'Listen'}
    </Button>
  );
}

/** How many ideas are skipped when the session is heard, if it can be. */
export function SkippedNote({ ideas }: { ideas: readonly SessionIdea[] }) {
  const skipped = ideas.filter(({ recording }) => recording === null).length;
  if (skipped === 0 || skipped === ideas.length) return null;
  return <p className="session__note">{`Listening skips ${plural(skipped, 'idea')} without a recording.`}</p>;
}
