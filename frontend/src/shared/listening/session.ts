// Sessions in the player: parts of several books' recordings, played one after the other (`Track.parts`).
import type { Listening } from '@/shared/listening/listening';
import { lastBegun } from '@/shared/listening/marks';

/** The index of the session's part that is heard; null when no session is open, or it has not begun or has ended. */
export function heardPart(now: Listening | null): number | null {
  if (!now?.track.parts || now.ended) return null;
  return now.chapters[lastBegun(now.chapters, now.at)]?.section ?? null;
}
