import { useEffect, useEffectEvent, useRef } from 'react';
import type { CardAnswer } from '@/shared/study/records';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';

/** How long the last rating can be taken back, unless another one follows, in milliseconds. */
const UNDO_TIME = 5_000;

/** Stores a rating, then sends it. */
async function save(answer: CardAnswer): Promise<void> {
  try {
    await studyStore.addAnswer(answer);
    await syncStudy();
  } catch {
    // The session has ended.
  }
}

/**
 * Stores the last rating after a while, and when the page is left (study.review-screen). Returns the function that stores it before
 * another one follows: the store shows it at once, so that its card is not due in between.
 */
export function useUnsavedRating(unsaved: CardAnswer | null, onSaved: (id: number) => void): () => CardAnswer | null {
  const last = useRef<CardAnswer | null>(null);
  const saveLast = () => {
    const answer = last.current;
    last.current = null;
    if (answer) void save(answer);
    return answer;
  };
  const saveNow = useEffectEvent(() => {
    const answer = saveLast();
    if (answer) onSaved(answer.id);
  });
  useEffect(() => {
    last.current = unsaved;
    if (!unsaved) return;
    const timer = setTimeout(() => saveNow(), UNDO_TIME);
    return () => clearTimeout(timer);
  }, [unsaved]);
  useEffect(() => {
    const onHide = () => {
      if (document.visibilityState === 'hidden') saveNow();
    };
    const onLeave = () => saveNow();
    document.addEventListener('visibilitychange', onHide);
    window.addEventListener('pagehide', onLeave);
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      window.removeEventListener('pagehide', onLeave);
      saveLast();
    };
  }, []);
  return saveLast;
}
