import { useEffect } from 'react';
import type { RefObject } from 'react';
import { ideaOfPart } from '@/features/study/session/sessionTrack';
import type { SessionIdea } from '@/features/study/session/queries';
import { useFollow } from '@/shared/listening/followAlong';
import { isSameTrack, useListening } from '@/shared/listening/listening';
import type { Track } from '@/shared/listening/listening';
import { heardPart } from '@/shared/listening/session';

/** The index of the idea that is heard, null for none, and whether it plays. The page scrolls to it, where text follows recordings. */
export function useHeardIdea(
  root: RefObject<HTMLElement | null>,
  track: Track | null,
  ideas: readonly SessionIdea[],
): { heard: number | null; plays: boolean } {
  const part = useListening((now) => (now && track && isSameTrack(now.track, track) ? heardPart(now) : null));
  const plays = useListening((now) => now !== null && track !== null && isSameTrack(now.track, track) && now.wanted && now.stage !== 'failed');
  const heard = part === null ? null : ideaOfPart(ideas, part);
  const follows = useFollow();
  useEffect(() => {
    if (heard === null || !plays || !follows) return;
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    root.current?.querySelectorAll('.session-idea')[heard]?.scrollIntoView({ block: 'start', behavior: calm ? 'instant' : 'smooth' });
  }, [root, heard, plays, follows]);
  return { heard, plays };
}
