import type { Page } from '@playwright/test';
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
  '/ideas',
  '/ideas/philosophy',
  '/list/old-books-that-are-still-right',
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
  `/my-progress/${new Date().getUTCFullYear()}`,
  '/session',
  '/session?minutes=10&topic=habits',
  '/lists',
  '/highlights',
  '/review',
  '/study-settings',
  '/api-tokens',
  '/account',
  '/account/import',
  '/books/meditations',
  '/books/meditations?section=3',
  '/books/walden?section=10',
  '/video/walden',
  '/visuals/walden',
  '/refer-a-friend',
  '/choose-categories/edit',
];

const OFFICE = [
  '/admin/users',
  '/admin/lists',
  '/admin/user-add',
  '/admin/books-list',
  '/admin/book-edit/1',
  '/admin/stats',
  '/admin/orders',
  '/admin/coupon-add',
  '/admin/banner',
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

/** Texts that are cut by their box, and what takes more than a third of the screen: what stands above the page, and bars that stay while it scrolls (site.large-text). */
const cutOrCrowded = () => {
  const visible = [...document.body.querySelectorAll<HTMLElement>('*')].filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && getComputedStyle(element).visibility !== 'hidden' && !element.closest('svg, [aria-hidden="true"]');
  });
  const name = (element: Element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`;
  const third = window.innerHeight / 3;
  const cut = visible.filter((element) => {
    const { overflowX, overflowY, textOverflow } = getComputedStyle(element);
    // The beginning of a text that a press shows whole.
    if (textOverflow === 'ellipsis') return false;
    const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
    const beyond = element.scrollWidth > element.clientWidth + 1 && hides(overflowX);
    const below = element.scrollHeight > element.clientHeight + 1 && hides(overflowY);
    return (beyond || below) && element.textContent.trim() !== '';
  });
  // What other tests read with the same account may be asked about; the question goes away with its answer.
  const bars = visible.filter((element) => {
    if (element.closest('.other-device')) return false;
    const { width, height } = element.getBoundingClientRect();
    return ['sticky', 'fixed'].includes(getComputedStyle(element).position) && width > window.innerWidth / 2 && height > third;
  });
  const above = document.querySelector('main')?.getBoundingClientRect().top ?? 0;
  return { cut: cut.map(name), bars: bars.map(name), above: above > third ? above : 0 };
};

/** As `font-size` of the root does not, the browser's own text size also decides which layout a page has. */
async function doubleTextSize(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.enable');
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
}

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  for (const [who, addresses] of [
    ['visitor', ['/', '/books', '/books/meditations', '/signup', '/login', '/ai', '/teams', '/quiz', ...CHECKOUT]],
    ['member', MEMBER],
    ['back office', OFFICE],
  ] as const) {
    test(`with the browser's text at 200% nothing is cut and bars leave two thirds of a screen of ${width} px, for a ${who}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      if (who !== 'visitor') await signInAs(page, who === 'member' ? 'paid' : 'admin');
      await doubleTextSize(page);
      for (const address of addresses) {
        await page.goto(address);
        await ready(page);
        expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
        expect(await page.evaluate(beyondTheScreen), address).toEqual({ names: [], width });
        expect(await page.evaluate(cutOrCrowded), address).toEqual({ cut: [], bars: [], above: 0 });
      }
    });
  }
}
