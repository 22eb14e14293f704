import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ready, scanEverywhere } from './harness/axe';
import { startServer } from './harness/server';
import { expect, test } from './harness/watch';

// Another program starts here, on a machine that is busy already.
test.setTimeout(180_000);

test('a new site is set up in a browser, under its own name', async ({ browser }) => {
  const home = await mkdtemp(path.join(tmpdir(), 'pith-e2e-'));
  const server = await startServer({ E2E_NEW_SITE: 'on', E2E_HOME: home });
  const context = await browser.newContext({ baseURL: server.base });
  try {
    const page = await context.newPage();
    await page.goto('/');
    await expect(page).toHaveURL(`${server.base}/setup`);
    await expect(page.getByLabel('Setup token')).toBeVisible();
    await ready(page);
    await scanEverywhere(page, 'the setup page');

    // What the server has printed.
    const link = async () => /Set it up at (\S+)/.exec(await readFile(path.join(home, 'log'), 'utf8'))?.[1] ?? '';
    await expect.poll(link).toContain('/setup#token=');
    // A fragment alone loads no page.
    await page.goto('about:blank');
    await page.goto(await link());
    await page.getByLabel('Site’s name').fill('Kernel');
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Admin');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('a morning by the window');
    await page.getByRole('button', { name: 'Send a test email' }).click();
    await expect(page.getByText('The email is in the outbox folder.')).toBeVisible();
    await page.getByRole('radio', { name: /Start empty/ }).check();
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Kernel is set up' })).toBeVisible({ timeout: 30_000 });
    await ready(page);
    await scanEverywhere(page, 'the end of the setup');

    await page.getByRole('main').getByRole('link', { name: 'Open the back office' }).click();
    await expect(page).toHaveURL(`${server.base}/admin`);
    await expect(page).toHaveTitle(/Kernel$/);
    await page.goto('/admin/system');
    await expect(page.getByRole('heading', { level: 1, name: 'System' })).toBeVisible();
    await expect(page.getByText(/There is no mail server/)).toBeVisible();

    // Once is enough: the page is gone, and the front page is there.
    const visitor = await (await browser.newContext({ baseURL: server.base })).newPage();
    await visitor.goto('/');
    await expect(visitor).toHaveTitle(/Kernel/);
    expect((await visitor.request.get('/api/setup')).status()).toBe(404);
    await visitor.context().close();
  } finally {
    await context.close();
    await server.stop();
  }
});
