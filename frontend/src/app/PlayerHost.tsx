import { Suspense, lazy, useEffect } from 'react';
import { setPlayerLoader, listen, useListening } from '@/shared/listening/listening';

// The player engine and its components are one chunk, loaded when a recording is opened.
setPlayerLoader(async (element) => {
  const { createPlayer } = await import(/* webpackChunkName: "player" */ '@/features/reading-progress/listening/player');
  return createPlayer(element);
});
const PlayerBar = lazy(() => import(/* webpackChunkName: "player" */ '@/features/reading-progress/listening/components/PlayerBar'));

/** The player at the bottom of every page. A recording that was open before a reload is restored. */
export function PlayerHost() {
  const listens = useListening((now) => now !== null);
  useEffect(() => {
    void restore();
  }, []);
  return listens ? (
    <Suspense fallback={null}>
      <PlayerBar />
    </Suspense>
  ) : null;
}

async function restore(): Promise<void> {
  try {
    if (sessionStorage.getItem('pith-listening') === null) return;
    const { openRecording } = await import(/* webpackChunkName: "player" */ '@/features/reading-progress/listening/playerStorage');
    const open = openRecording.get();
    if (open) await listen(open.track, { at: open.at, silent: true });
  } catch {
    // Restoring is a convenience: a failure is not reported.
  }
}
