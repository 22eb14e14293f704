import { check } from './harness/axe';
import { signInAs } from './harness/people';
import { test } from './harness/watch';

const PUBLIC = [
  '/',
  '/books',
  '/books?q=nature',
  '/books?q=qqqqxyzzy',
  '/signup',
  '/login',
  '/try',
  '/books/meditations',
  '/video/meditations',
  '/book-detail/walden',
  '/list/old-books-that-are-still-right',
  '/contact',
  '/suggest',
  '/feedback-form',
  '/nowhere',
  '/account/delete',
  '/account/archive#code',
];
const MEMBERS = [
  '/home',
  '/recommendations',
  '/choose-categories/edit',
  '/library',
  '/library?shelf=finished',
  '/library?view=history',
  '/my-progress',
  `/my-progress/${new Date().getUTCFullYear()}`,
  '/session',
  '/session?minutes=10&topic=habits',
  '/lists',
  '/highlights',
  '/review',
  '/review/cards',
  '/study-settings',
  '/api-tokens',
  '/account',
  '/account/delete',
  '/account/import',
  '/refer-a-friend',
  '/contact',
  '/set-kindle',
  '/send-to-kindle',
  '/books/meditations',
  '/books/walden',
];
const SIGN_IN = [
  '/login?error=Something%20odd',
  '/login-link#a-secret',
  '/login-link',
  '/forgot-password',
  '/reset-password/ada%40example.com/a-code',
  '/confirm-email#a-code',
  '/confirm-email',
];

// Motion off: axe measures colours, and a page half faded in has others.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

for (const address of PUBLIC) {
  test(`axe finds nothing on ${address}`, async ({ page, quiet }) => {
    quiet.allow(/status of 404/);
    await check(page, address);
  });
}

for (const address of SIGN_IN) {
  test(`axe finds nothing on ${address}`, async ({ page }) => {
    await check(page, address);
  });
}

for (const address of MEMBERS) {
  test(`axe finds nothing on ${address} of a member`, async ({ page }) => {
    await signInAs(page, 'paid');
    await check(page, address);
  });
}
