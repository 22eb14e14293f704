import { Suspense, lazy, useEffect } from 'react';
import { bringPlayer, listen, useListening } from '@/domain/listening';

// The engine and its screens are one chunk, which comes when somebody listens.
bringPlayer(async (element) => {
  const { createPlayer } = await import(/* webpackChunkName: "player" */ '@/features/listening/player');
  return createPlayer(element);
});
const PlayerBar = lazy(() => import(/* webpackChunkName: "player" */ '@/features/listening/components/PlayerBar'));

/** The player at the bottom of every page. What was in it before a reload is at hand again. */
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
    const { openHere } = await import(/* webpackChunkName: "player" */ '@/features/listening/remembered');
    const open = openHere.get();
    if (open) await listen(open.track, { at: open.at, silent: true });
  } catch {
    // Nobody is waiting for it.
  }
}
