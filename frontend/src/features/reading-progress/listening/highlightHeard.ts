import { listening } from '@/shared/listening/listening';
import type { Listening } from '@/shared/listening/listening';
import { areHighlightsOff } from '@/shared/study/studyFlags';

/** Whether a sentence of the recording can be kept: a member listens to a book, and its passages have times. */
export const canHighlightHeard = (now: Listening | null): boolean =>
  now !== null && now.track.bookId !== null && now.track.member !== null && now.marks.length > 0 && !areHighlightsOff();

/** Keeps the sentence that was just heard as a highlight (study.heard-sentence). What does it is loaded at the first press. */
export function highlightHeard(): void {
  const now = listening.now();
  if (!now || !canHighlightHeard(now)) return;
  const { track, at } = now;
  import(/* webpackChunkName: "highlights" */ '@/shared/study/keepHeard').then(
    ({ keepHeard }) => keepHeard(track, at),
    () => undefined,
  );
}
