// Runs in <head>, before the first paint: the page never flashes in the wrong theme, nor as another's.
import { TOKEN, hintsPaid } from '@/api/hints';
import { applyFontSize, preferredFontSize } from '@/domain/fontSize';
import { applyTheme, preferredTheme } from '@/domain/theme';

applyTheme(preferredTheme());
// Nor does a reader's text in the wrong size.
applyFontSize(preferredFontSize());

// The server's markup is everybody's: what is for visitors only, for members only, or was dismissed in this session, is styled
// away (app.css).
try {
  const { dataset } = document.documentElement;
  if (localStorage.getItem(TOKEN) !== null) {
    dataset['member'] = '';
    if (hintsPaid()) dataset['paid'] = '';
  }
  if (sessionStorage.getItem('40off') === 'close') dataset['banner'] = 'close';
} catch {
  // No storage, nobody who is known and no dismissal.
}
