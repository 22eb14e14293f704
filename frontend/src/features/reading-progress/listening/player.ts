// The player of this tab: connects the engine to the audio element, the server, the system and the keyboard.
import { call } from '@/api/client';
import { serverNow } from '@/api/clock';
import { session } from '@/api/session';
import { publish } from '@/shared/listening/listening';
import type { Listening, Player } from '@/shared/listening/listening';
import { createEngine } from '@/features/reading-progress/listening/engine';
import { commandOf } from '@/features/reading-progress/listening/keys';
import { clearListeningPositions, resumePosition, saveListeningPosition } from '@/features/reading-progress/listening/listeningPosition';
import { connect, show } from '@/features/reading-progress/listening/mediaSession';
import { openRecording, speed } from '@/features/reading-progress/listening/playerStorage';
import { sessionRecording } from '@/features/reading-progress/listening/sessionRecording';
import { createSessionSound } from '@/features/reading-progress/listening/sessionSound';
import { completeIdea } from '@/shared/study/completedIdeas';

/** Channel by which playback in one tab pauses the other tabs. */
const tabs = 'BroadcastChannel' in window ? new BroadcastChannel('pith-listening') : null;

export function createPlayer(element: HTMLAudioElement): Player {
  let last: Listening | null = null;
  let leaving = false;
  const engine = createEngine({
    sound: (events) => createSessionSound(element, events),
    async recordingOf({ subid: id, file, isAboutBook, parts }) {
      if (parts) return sessionRecording(parts, (book) => call('GET /api/books/{id}/audio', { path: { id: book } }));
      if (file) return { url: file.url, seconds: file.seconds ?? 0, until: Number.POSITIVE_INFINITY, chapters: [], marks: [] };
      const recording = isAboutBook ? await call('GET /api/books/{id}/podcast', { path: { id } }) : await call('GET /api/books/{id}/audio', { path: { id } });
      return { ...recording, seconds: recording.seconds ?? 0 };
    },
    save(position) {
      if (leaving) return;
      openRecording.set({ track: position.track, at: position.at });
      saveListeningPosition(position);
    },
    heard({ member, parts }, index) {
      const part = parts?.[index];
      if (part && member !== null) completeIdea(member, part);
    },
    publish(state) {
      if (state === null) openRecording.set(null);
      else if (state.stage === 'ready' && last?.stage !== 'ready') openRecording.set({ track: state.track, at: state.at });
      last = state;
      show(state);
      publish(state);
    },
    now: () => serverNow(),
    online: () => navigator.onLine,
    settings: { rate: speed.get, setRate: speed.set },
    onPlay() {
      tabs?.postMessage('playing');
      for (const other of document.querySelectorAll<HTMLMediaElement>('video, audio:not([hidden])')) other.pause();
    },
  });
  const player: Player = {
    ...engine,
    open(track, start) {
      engine.open(track, { ...start, saved: resumePosition(track, start.saved) });
    },
  };
  connect(player);
  tabs?.addEventListener('message', () => engine.pause());
  document.addEventListener('keydown', (event) => {
    if (!last) return;
    const act = commandOf(event);
    if (!act) return;
    event.preventDefault();
    act(player);
  });
  window.addEventListener('online', () => engine.online());
  window.addEventListener('offline', () => engine.offline());
  window.addEventListener('pagehide', () => engine.leave());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') engine.leave();
  });
  // A logout closes the player.
  let member = session.token() !== null;
  session.subscribe(() => {
    const now = session.token() !== null;
    if (member && !now) {
      clearListeningPositions();
      leaving = true;
      engine.close();
      leaving = false;
    }
    member = now;
  });
  // Other media on the page pause the player. The player's own elements have the attribute `hidden`.
  document.addEventListener(
    'play',
    (event) => {
      if (event.target instanceof HTMLMediaElement && !event.target.hidden) engine.pause();
    },
    true,
  );
  return player;
}
