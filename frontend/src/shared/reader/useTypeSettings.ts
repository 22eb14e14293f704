import { useSyncExternalStore } from 'react';
import { TYPE_SETTINGS, chooseType, currentType } from '@/shared/reader/typeSettings';
import type { TypeSettings } from '@/shared/reader/typeSettings';

function watch(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: Object.keys(TYPE_SETTINGS).map((name) => `data-${name}`) });
  return () => observer.disconnect();
}

// A text is equal to an equal one; an object would be new each time.
const current = () => JSON.stringify(currentType());

/** The settings, and a choice. All places that show them agree. */
export function useTypeSettings(): [TypeSettings, typeof chooseType] {
  return [JSON.parse(useSyncExternalStore(watch, current, current)) as TypeSettings, chooseType];
}
