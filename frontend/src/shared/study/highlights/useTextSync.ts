import { useEffect } from 'react';
import type { HighlightedText } from '@/shared/study/highlights/highlightedText';
import { hasUnsent } from '@/shared/study/studyFlags';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';

/** Reads the member's highlights from this device, and from the server when it has newer ones, or something is unsent. */
export function useTextSync(text: HighlightedText, member: number): void {
  // Of an own summary nothing says which the server has.
  const version = 'book' in text ? (text.book.highlights?.version ?? 0) : Number.POSITIVE_INFINITY;
  useEffect(() => {
    void studyStore.load(member).then(async () => {
      if (version > (await studyStore.cursor(member)) || hasUnsent()) await syncStudy();
    });
  }, [member, version]);
}
