// What only a browser shows of how pages are laid out on phones and small screens.
import { request } from '@playwright/test';
import type { Page } from '@playwright/test';
import { ready } from './harness/axe';
import { PASSWORD, call, logIn, newAddress, signInAs } from './harness/people';
import { expect, test } from './harness/watch';

const PHONE = { width: 390, height: 844 };

/** Controls and links of a table that a phone's reader could not reach: they begin or end beside the screen. */
const outOfReach = () =>
  [...document.querySelectorAll<HTMLElement>('table a, table button')]
    .filter((element) => element.getClientRects().length > 0)
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return left < 0 || right > window.innerWidth;
    })
    .map((element) => element.textContent);

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await ready(page);
}

test('on a phone the reader’s controls are one row at every section', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await signInAs(page, 'paid');
  await open(page, '/books/meditations?section=1');
  const bar = page.getByRole('group', { name: 'Reader menu' });
  const total = Number(/\/(\d+)$/.exec((await bar.locator('p').textContent()) ?? '')?.[1]);
  expect(total).toBeGreaterThan(1);
  for (const section of [1, 2, total]) {
    await open(page, `/books/meditations?section=${section}`);
    await expect(bar).toContainText(`${section}/${total}`);
    const rows = await bar.evaluate((element) => {
      const controls = [...element.querySelectorAll('button, a, p')].map((control) => control.getBoundingClientRect()).filter(({ width }) => width > 0);
      const middles = controls.map(({ top, bottom }) => (top + bottom) / 2);
      return { controls: controls.length, apart: Math.max(...middles) - Math.min(...middles), width: element.scrollWidth };
    });
    expect(rows.controls).toBeGreaterThan(6);
    expect(rows.apart, `section ${section}`).toBeLessThan(8);
    expect(rows.width, `section ${section}`).toBeLessThanOrEqual(PHONE.width);
  }
});

test('on a phone the links of the home page are folded', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await signInAs(page, 'paid');
  await open(page, '/home');
  const links = page.getByRole('navigation', { name: 'My Pith' });
  await expect(links.getByRole('link')).toHaveCount(0);
  await links.getByText('My Pith').click();
  await expect(links.getByRole('link').first()).toBeVisible();
});

test('a long name widens no page', async ({ page }) => {
  const email = newAddress();
  const api = await request.newContext();
  await call(api, 'POST', '/api/user/register', { username: email, password: PASSWORD, firstName: 'Llanfairpwll'.repeat(4), lastName: 'Gogogoch'.repeat(6) });
  await api.dispose();
  await logIn(page, email, PASSWORD);
  await page.setViewportSize(PHONE);
  for (const address of ['/home', '/account', '/my-progress', '/refer-a-friend']) {
    await open(page, address);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBe(PHONE.width);
  }
});

test('the offer is for visitors, not for who has a plan, and not in a checkout', async ({ page }) => {
  const offer = page.getByRole('complementary', { name: 'Offer' });
  await open(page, '/books');
  await expect(offer).toBeVisible();
  await open(page, '/payment/yearly');
  await expect(page.getByRole('heading', { level: 1, name: 'Checkout' })).toBeVisible();
  await expect(offer).toHaveCount(0);
  await signInAs(page, 'paid');
  await open(page, '/books');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(offer).toHaveCount(0);
});

test('the back office’s menu fits a screen of 900 px, and on a phone every action of a list is reached', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signInAs(page, 'admin');
  await open(page, '/admin');
  const last = page.getByRole('link', { name: 'Audit log' }).first();
  await expect(last).toBeVisible();
  expect(await last.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThanOrEqual(900);
  await page.setViewportSize(PHONE);
  for (const list of ['users', 'books-list', 'blog-list', 'podcasts', 'insights', 'orders', 'coupons', 'plans', 'collections']) {
    await open(page, `/admin/${list}`);
    await expect(page.locator('main').getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate(outOfReach), list).toEqual([]);
  }
});
