import { useSyncExternalStore } from 'react';
import { currentTheme } from '@/domain/theme';
import type { Theme } from '@/domain/theme';

// The attribute is the one truth: whoever changes it, every control that shows the theme follows.
function watch(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

export const useTheme = (): Theme => useSyncExternalStore(watch, currentTheme, currentTheme);
