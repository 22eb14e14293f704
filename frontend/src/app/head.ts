// Runs in <head>, before the first paint, so that the page never flashes in the wrong theme or for the wrong kind of viewer.
// The app itself is loaded after that paint (startWhenPainted.ts); a page that needs the app at once lists its scripts in the
// HTML.
import { TOKEN, hintsPaid } from '@/api/hints';
import { repeatEarlyPress } from '@/app/repeatPress';
import { startWhenPainted } from '@/app/startWhenPainted';
import { applyFontSize, preferredFontSize } from '@/shared/reader/fontSize';
import { applyTheme, preferredTheme } from '@/shared/reader/theme';
import { applyType, preferredType } from '@/shared/reader/typeSettings';

applyTheme(preferredTheme());
// Likewise the reader's font size and other type settings.
applyFontSize(preferredFontSize());
applyType(preferredType());

// The server's markup is the same for all viewers: CSS (app.css) hides what is only for visitors, only for members, or dismissed.
try {
  const { dataset } = document.documentElement;
  if (localStorage.getItem(TOKEN) !== null) {
    dataset['member'] = '';
    if (hintsPaid()) dataset['paid'] = '';
  }
  if (sessionStorage.getItem('40off') === 'close') dataset['banner'] = 'close';
} catch {
  // Without storage there is no session and no dismissal.
}

// Hides the server-rendered banner in a checkout.
if (window.location.pathname.startsWith('/payment/')) document.documentElement.dataset['checkout'] = '';
// The back office has its own layout (Layout.tsx).
if (/^\/admin(\/|$)/.test(window.location.pathname)) document.documentElement.dataset['office'] = '';

repeatEarlyPress();
if (document.currentScript) startWhenPainted(document.currentScript.dataset);
