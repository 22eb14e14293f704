import { useSyncExternalStore } from 'react';
import { currentTheme } from '@/shared/reader/theme';
import type { Theme } from '@/shared/reader/theme';

// The attribute is the source of truth: each control that shows the theme subscribes to it.
function watch(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

export const useTheme = (): Theme => useSyncExternalStore(watch, currentTheme, currentTheme);
