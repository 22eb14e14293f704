// The system's media controls: lock screen, headset, media keys (Media Session API).
import type { Listening, Player } from '@/shared/listening/listening';
import { SKIP, chapterAt } from '@/features/reading-progress/listening/model';

/** Undefined in some browsers. */
const system = (): MediaSession | null => (navigator as { mediaSession?: MediaSession }).mediaSession ?? null;

const TYPES: Record<string, string> = { png: 'image/png', webp: 'image/webp', jpg: 'image/jpeg', jpeg: 'image/jpeg' };

/** A bitmap of the cover for the system: the server renders drawings 512 px wide (covers are 2:3). */
function artworkOf(image: string | null): MediaImage[] {
  const ending = /\.(\w+)(?:$|\?)/.exec(image ?? '')?.[1];
  if (image === null || ending === undefined) return [];
  if (ending === 'svg') return [{ src: image.replace(/\.svg/, '.512.png'), sizes: '512x768', type: 'image/png' }];
  return [{ src: image, type: TYPES[ending] ?? '' }];
}

export function metadataOf(state: Listening): MediaMetadataInit {
  const { track, chapters, at } = state;
  const index = chapterAt(chapters, at);
  const section = chapters[index]?.title;
  const { author, bookTitle, image } = track.parts?.[index] ?? { author: track.author, bookTitle: track.title, image: track.image };
  return {
    title: section === undefined || section === '' ? track.title : section,
    artist: author,
    album: bookTitle,
    artwork: artworkOf(image),
  };
}

/** Connects the system's media controls to the player. */
export function connect(player: Player): void {
  const session = system();
  if (!session) return;
  const handlers: [MediaSessionAction, MediaSessionActionHandler][] = [
    ['play', () => player.play()],
    ['pause', () => player.pause()],
    ['stop', () => player.pause()],
    ['seekbackward', ({ seekOffset }) => player.skip(-(seekOffset ?? SKIP))],
    ['seekforward', ({ seekOffset }) => player.skip(seekOffset ?? SKIP)],
    ['seekto', ({ seekTime }) => seekTime !== undefined && player.seek(seekTime)],
    ['previoustrack', () => player.step(-1)],
    ['nexttrack', () => player.step(1)],
  ];
  for (const [action, handler] of handlers) {
    try {
      session.setActionHandler(action, handler);
    } catch {
      // This browser does not support the action.
    }
  }
}

let shown = '';

/** Shows the recording in the system's media controls. */
export function show(state: Listening | null): void {
  const session = system();
  if (!session) return;
  if (!state) {
    session.metadata = null;
    session.playbackState = 'none';
    shown = '';
    return;
  }
  const metadata = metadataOf(state);
  const key = JSON.stringify(metadata);
  if (key !== shown) {
    shown = key;
    session.metadata = new MediaMetadata(metadata);
  }
  session.playbackState = state.wanted ? 'playing' : 'paused';
  if (state.seconds > 0) {
    try {
      session.setPositionState({ duration: state.seconds, playbackRate: state.rate, position: Math.min(state.at, state.seconds) });
    } catch {
      // An older browser does not support positions.
    }
  }
}
