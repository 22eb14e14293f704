// Runs in <head>, before the first paint, so that the page never flashes in the wrong theme or for the wrong viewer. The app
// itself is loaded after that paint (startWhenPainted.ts); a page that waits for the app names its scripts in the HTML.
import { TOKEN, hintsPaid } from '@/api/hints';
import { repeatEarlyPress } from '@/app/repeatPress';
import { startWhenPainted } from '@/app/startWhenPainted';
import { applyFontSize, preferredFontSize } from '@/shared/reader/fontSize';
import { applyTheme, preferredTheme } from '@/shared/reader/theme';
import { applyType, preferredType } from '@/shared/reader/typeSettings';

applyTheme(preferredTheme());
// The same for the reader's font size, and its other type settings.
applyFontSize(preferredFontSize());
applyType(preferredType());

// The server's markup is the same for all viewers: what is for visitors only, for members only, or dismissed, is hidden by CSS
// (app.css).
try {
  const { dataset } = document.documentElement;
  if (localStorage.getItem(TOKEN) !== null) {
    dataset['member'] = '';
    if (hintsPaid()) dataset['paid'] = '';
  }
  if (sessionStorage.getItem('40off') === 'close') dataset['banner'] = 'close';
} catch {
  // Without storage there is no member and no dismissal.
}

// The server's banner: a checkout has none.
if (window.location.pathname.startsWith('/payment/')) document.documentElement.dataset['checkout'] = '';
// The back office has a frame of its own (Layout.tsx).
if (/^\/admin(\/|$)/.test(window.location.pathname)) document.documentElement.dataset['office'] = '';

repeatEarlyPress();
if (document.currentScript) startWhenPainted(document.currentScript.dataset);
