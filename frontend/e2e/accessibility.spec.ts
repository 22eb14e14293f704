import { check } from './support/axe';
import { logIn } from './support/people';
import { test } from './support/watch';

const PUBLIC = ['/', '/books', '/books?q=nature', '/books?q=qqqqxyzzy', '/signup', '/login', '/try', '/books/meditations', '/video/meditations', '/book-detail/walden', '/contact', '/suggest', '/feedback-form', '/nowhere', '/account/delete', '/account/archive#code'];
const MEMBERS = ['/home', '/choose-categories/edit', '/library', '/library?shelf=finished', '/library?view=history', '/my-progress', '/account', '/account/delete', '/refer-a-friend', '/contact', '/set-kindle', '/send-to-kindle', '/books/meditations', '/books/walden'];
const WAYS_IN = [
  '/login?error=Something%20odd',
  '/login-link#a-secret',
  '/login-link',
  '/forgot-password',
  '/reset-password/ada%40example.com/a-code',
  '/confirm-email#a-code',
  '/confirm-email',
];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1440]) {
    test.describe(`axe in the ${colorScheme} theme at ${width} px`, () => {
      // Motion off: axe measures colours, and a page half faded in has others.
      test.use({ colorScheme, viewport: { width, height: 900 }, contextOptions: { reducedMotion: 'reduce' } });

      test('finds nothing on public pages', async ({ page, quiet }) => {
        quiet.allow(/status of 404/);
        for (const address of PUBLIC) await check(page, address);
      });

      test('finds nothing on the ways in and back', async ({ page }) => {
        for (const address of WAYS_IN) await check(page, address);
      });

      test('finds nothing on members\u2019 pages', async ({ page }) => {
        await logIn(page, 'paid@example.com');
        for (const address of MEMBERS) await check(page, address);
      });
    });
  }
}
