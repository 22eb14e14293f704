import { useSyncExternalStore } from 'react';
import { chooseFontSize, currentFontSize, nextFontSize } from '@/shared/reader/fontSize';
import type { FontSize } from '@/shared/reader/fontSize';

function watch(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-size'] });
  return () => observer.disconnect();
}

/** The size, a turn of the cycle, and a choice. All places that show it agree. */
export function useFontSize(): [FontSize, () => void, (size: FontSize) => void] {
  const size = useSyncExternalStore(watch, currentFontSize, currentFontSize);
  return [size, () => chooseFontSize(nextFontSize(size)), chooseFontSize];
}
