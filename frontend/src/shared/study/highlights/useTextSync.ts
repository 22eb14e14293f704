import { useEffect } from 'react';
import type { HighlightedText } from '@/shared/study/highlights/highlightedText';
import { hasUnsent } from '@/shared/study/studyFlags';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';

/** Reads the member's highlights from this device, and from the server when it has newer ones, or something is unsent. */
export function useTextSync(text: HighlightedText, member: number): void {
  // Of an own summary nothing says which the server has.
  const version = 'book' in text ? (text.book.highlights?.version ?? 0) : Number.POSITIVE_INFINITY;
  // A source is shown beside the ideas of its summary, with which it is read.
  const isWanted = !('source' in text);
  useEffect(() => {
    if (!isWanted) return;
    void studyStore.load(member).then(async () => {
      if (version > (await studyStore.cursor(member)) || hasUnsent()) await syncStudy();
    });
  }, [member, version, isWanted]);
}
