import { useSyncExternalStore } from 'react';
import { TYPE_SETTINGS, chooseType, currentType } from '@/shared/reader/typeSettings';
import type { TypeSettings } from '@/shared/reader/typeSettings';

function watch(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: Object.keys(TYPE_SETTINGS).map((name) => `data-${name}`) });
  return () => observer.disconnect();
}

// As JSON, because the snapshot must be comparable by value; an object would be new each time.
const current = () => JSON.stringify(currentType());

/** The settings, and a function that changes them. All controls stay in sync. */
export function useTypeSettings(): [TypeSettings, typeof chooseType] {
  return [JSON.parse(useSyncExternalStore(watch, current, current)) as TypeSettings, chooseType];
}
