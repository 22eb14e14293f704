// Runs in <head>, before the first paint: the page never flashes in the wrong theme.
import { applyTheme, preferredTheme } from '@/lib/theme';

applyTheme(preferredTheme());

// A banner that was dismissed in this session stays away from the server's markup too (styled in app.css).
try {
  if (sessionStorage.getItem('40off') === 'close') document.documentElement.dataset['banner'] = 'close';
} catch {
  // No storage, no dismissal.
}
