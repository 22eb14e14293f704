// Runs in <head>, before the first paint: the page never flashes in the wrong theme.
import { applyFontSize, preferredFontSize } from '@/lib/fontSize';
import { applyTheme, preferredTheme } from '@/lib/theme';

applyTheme(preferredTheme());
// Nor does a reader's text in the wrong size.
applyFontSize(preferredFontSize());

// A banner that was dismissed in this session stays away from the server's markup too (styled in app.css).
try {
  if (sessionStorage.getItem('40off') === 'close') document.documentElement.dataset['banner'] = 'close';
} catch {
  // No storage, no dismissal.
}
