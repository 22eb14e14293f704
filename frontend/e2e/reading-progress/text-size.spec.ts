import { ready } from '../harness/axe';
import { signInAs } from '../harness/people';
import { expect, test } from '../harness/watch';

/** Sizes of the root font, in per cent, as readers set them in their browser. */
const SIZES = [125, 150, 200];

const VISITOR = [
  '/',
  '/books',
  '/books?q=virtue',
  '/books/meditations',
  '/book-detail/walden',
  '/category/philosophy',
  '/collections',
  '/authors',
  '/authors/plato',
  '/visuals',
];
/** The checkout, in the forms that have the most to show. */
const CHECKOUT = ['/payment/yearly', '/payment/gift?gift=true', '/payment/bulk'];
const PUBLIC = ['/infographics', '/podcasts', '/blog', '/blog/why-old-books', '/about', '/try', '/login', '/signup', '/contact', '/suggest', '/no-such-page'];
const MEMBER = [
  '/home',
  '/library',
  '/library?view=history',
  '/my-progress',
  '/account',
  '/books/meditations',
  '/books/meditations?section=3',
  '/books/walden?section=10',
  '/video/walden',
  '/visuals/walden',
  '/refer-a-friend',
  '/choose-categories/edit',
];

test.use({ viewport: { width: 390, height: 844 } });

/** What is visible and reaches beyond the screen; what scrolls in a box of its own does not. */
const beyondTheScreen = () => {
  const scrolls = (element: Element) => {
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
      if (getComputedStyle(up).overflowX !== 'visible' && up.getBoundingClientRect().right <= window.innerWidth) return true;
    }
    return false;
  };
  const found = [...document.body.querySelectorAll('*')].filter((element) => {
    const { left, right, width, height } = element.getBoundingClientRect();
    const outside = width > 0 && height > 0 && (right > window.innerWidth + 0.5 || left < -0.5);
    return outside && !scrolls(element) && getComputedStyle(element).visibility !== 'hidden' && !element.closest('.visually-hidden, .skip-link, .honeypot');
  });
  const names = found.map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`);
  return { names: names.slice(0, 5), width: document.documentElement.scrollWidth };
};

for (const size of SIZES) {
  for (const [who, addresses] of [
    ['visitor', VISITOR],
    ['visitor to other pages', PUBLIC],
    ['member', MEMBER],
    ['visitor who buys', CHECKOUT],
  ] as const) {
    test(`with text at ${size}% nothing leaves a phone's screen, for a ${who}`, async ({ page, quiet }) => {
      quiet.allow(/status of 404/);
      if (who === 'member') await signInAs(page, 'paid');
      await page.addInitScript((size) => {
        const grow = () => document.documentElement.style.setProperty('font-size', `${size}%`);
        document.addEventListener('readystatechange', grow);
      }, size);
      for (const address of addresses) {
        await page.goto(address);
        await ready(page);
        expect(await page.evaluate(beyondTheScreen), address).toEqual({ names: [], width: 390 });
      }
    });
  }

  test(`with text at ${size}% the menus of a phone stay on the screen`, async ({ page }) => {
    await signInAs(page, 'paid');
    await page.goto('/home');
    await ready(page);
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', `${size}%`), size);
    for (const name of ['Menu']) {
      await page.getByRole('banner').getByRole('button', { name, exact: true }).click();
      await expect(page.getByRole('navigation', { name, exact: true })).toBeVisible();
      // It slides in.
      await expect.poll(() => page.evaluate(beyondTheScreen), name).toEqual({ names: [], width: 390 });
      await page.keyboard.press('Escape');
    }
  });
}
