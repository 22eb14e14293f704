// Takes the pictures of the README from a running demo: the front page, the reader on a phone, the back office. Each lies in
// docs/pictures afterwards. `cargo xtask pictures` starts a demo and runs this.
//
//   BASE_URL=http://localhost:4000 CHROME_PATH=chromium node scripts/take-pictures.mjs
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from '@playwright/test';

const site = process.env.BASE_URL ?? 'http://localhost:4000';
const folder = path.resolve(import.meta.dirname, '../../docs/pictures');
const password = process.env.PASSWORD ?? 'pith-demo-2026';
const desktop = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROME_PATH, args: ['--no-sandbox'] });
try {
  await take('front-page', '/', desktop);
  await take('reader', '/books/walden?section=2', phone, 'paid@example.com');
  await take('back-office', '/admin/stats', { viewport: { width: 1280, height: 960 } }, 'admin@example.com');
} finally {
  await browser.close();
}

/** Opens a page as a visitor, or as the owner of an account, and takes a picture of what is seen first. */
async function take(name, address, device, username) {
  const context = await browser.newContext({ ...device, colorScheme: 'light', reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC' });
  const page = await context.newPage();
  if (username) {
    await page.goto(`${site}/login`);
    const { result } = await (await page.request.post(`${site}/api/user/login`, { data: { username, password } })).json();
    await page.evaluate((token) => {
      localStorage.setItem('token', token);
      localStorage.setItem('tokenDate', String(Date.now()));
    }, result.token);
  }
  await page.goto(site + address);
  await page.locator('html[data-app="ready"]').waitFor();
  await page.waitForLoadState('networkidle');
  const file = path.join(folder, `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  console.log(path.relative(process.cwd(), file));
  await context.close();
}
