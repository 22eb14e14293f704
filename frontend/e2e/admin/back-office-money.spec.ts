import { readFile } from 'node:fs/promises';
import { ready, scanEverywhere } from '../harness/axe';
import { makeBusiness } from '../harness/business';
import type { Business } from '../harness/business';
import { serveBusiness } from '../harness/money';
import { signInAs } from '../harness/people';
import { expect, test } from '../harness/watch';

const screens = ({ order, earner, team, coupon }: Pick<Business, 'order' | 'earner' | 'team' | 'coupon'>) => [
  '/admin/stats?from=2026-02-15&to=2026-03-14',
  '/admin/orders',
  `/admin/orders/${order}`,
  '/admin/failed-renewals',
  '/admin/disputes',
  '/admin/coupons',
  '/admin/coupon-add',
  `/admin/coupon-edit/${coupon}`,
  '/admin/codes',
  '/admin/code-add',
  '/admin/code-import',
  '/admin/payouts',
  `/admin/payouts/${earner.id}`,
  '/admin/teams',
  `/admin/teams/${team}`,
  '/admin/plans',
  '/admin/plan-edit/yearly',
  '/admin/ledger',
];

test('money is closed to an editor', async ({ page }) => {
  await signInAs(page, 'editor');
  await page.goto('/admin');
  const rail = page.getByRole('navigation', { name: 'Back office' });
  await expect(rail.getByRole('link', { name: 'Books' })).toBeVisible();
  await expect(rail.getByRole('link', { name: 'Stats' })).toHaveCount(0);
  for (const address of screens({ order: 1, earner: { id: 1, email: '' }, team: 1, coupon: 'SPRING' })) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: 'You do not have access to this page.' })).toBeVisible();
  }
});

test('a chart is read by the keys, as a table and as a file', async ({ page }) => {
  await serveBusiness(page);
  await signInAs(page, 'admin');
  await page.goto('/admin/stats?from=2026-02-15&to=2026-03-14');
  const chart = page.getByRole('region', { name: 'Sign-ups', exact: true });
  await chart.getByRole('application').focus();
  await page.keyboard.press('ArrowRight');
  await expect(chart.locator('.plot__reading')).toContainText('Feb 16');
  await expect(chart.locator('.plot__reading')).toContainText('This period27');
  await chart.getByText('Table', { exact: true }).click();
  await expect(chart.getByRole('row', { name: /^Feb 16/ })).toContainText('27');
  const download = page.waitForEvent('download');
  await chart.getByRole('button', { name: 'CSV: Sign-ups' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('sign-ups-2026-02-15-2026-03-14.csv');
  expect(await readFile(await file.path(), 'utf8')).toContain('Feb 16,');
});

test('the stats are those of the server, with days of one’s own', async ({ page }) => {
  await signInAs(page, 'admin');
  await page.goto('/admin/stats');
  const members = page
    .locator('.figure')
    .filter({ hasText: /^Members/ })
    .locator('.figure__value');
  await expect(members).toHaveText(/^[1-9]/);
  await page.getByText('90 days', { exact: true }).click();
  await expect(page).toHaveURL(/days=90/);
  await page.getByLabel('From', { exact: true }).fill('2026-01-01');
  await expect(page).toHaveURL(/from=2026-01-01/);
  await expect(page.getByRole('region', { name: 'Sign-ups', exact: true }).getByRole('application')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('2026-01-01');
});

test('what was sold, given back and paid out stands in the screens about money', async ({ page }) => {
  test.slow();
  const { buyer, order, earner, team, coupon, code } = await makeBusiness();
  await signInAs(page, 'admin');
  await page.goto(`/admin/orders?q=${encodeURIComponent(buyer)}`);
  const row = page.getByRole('table', { name: 'Orders' }).getByRole('row').filter({ hasText: buyer });
  await expect(row).toContainText('$89.40');
  await page.goto(`/admin/orders/${order}`);
  await expect(page.getByRole('main')).toContainText('$10.00');
  await expect(page.getByRole('main')).toContainText(coupon);
  await page.goto(`/admin/coupon-edit/${coupon}`);
  await expect(page.getByRole('region', { name: 'Uses' })).toContainText('1');
  await page.goto(`/admin/codes?q=${code}`);
  await expect(page.getByRole('table', { name: 'Codes' }).getByRole('row').filter({ hasText: code })).toContainText('Yearly');
  await page.goto(`/admin/teams/${team}`);
  // The head of the table, and a row for each seat.
  await expect(page.getByRole('table', { name: 'Seats' }).getByRole('row')).toHaveCount(21);
  await page.goto(`/admin/payouts/${earner.id}`);
  await expect(page.getByRole('main')).toContainText(earner.email);
  await expect(page.getByRole('table', { name: 'History' }).getByRole('row')).toHaveCount(2);
  await page.goto(`/admin/ledger?q=${encodeURIComponent(buyer)}`);
  await expect(page.getByRole('table', { name: 'Ledger' }).getByRole('row').filter({ hasText: buyer })).not.toHaveCount(0);
});

test('the palette leads to money by a few letters', async ({ page }) => {
  await signInAs(page, 'admin');
  await page.goto('/admin/orders');
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible();
  await ready(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Where to?' }).fill('ledg');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Ledger' })).toBeVisible();
});

test('axe finds nothing in the screens about money', async ({ page }) => {
  test.slow();
  const business = await makeBusiness();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await serveBusiness(page);
  await signInAs(page, 'admin');
  for (const address of screens(business)) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await ready(page);
    await scanEverywhere(page, address);
  }
});
