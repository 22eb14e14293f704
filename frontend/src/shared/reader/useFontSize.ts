import { useSyncExternalStore } from 'react';
import { chooseFontSize, currentFontSize, nextFontSize } from '@/shared/reader/fontSize';
import type { FontSize } from '@/shared/reader/fontSize';

function watch(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-size'] });
  return () => observer.disconnect();
}

/** The size, a function that cycles through the sizes, and one that sets it. All controls stay in sync. */
export function useFontSize(): [FontSize, () => void, (size: FontSize) => void] {
  const size = useSyncExternalStore(watch, currentFontSize, currentFontSize);
  return [size, () => chooseFontSize(nextFontSize(size)), chooseFontSize];
}
