// The daily goal: it is set on My Progress, met by reading, and shown on Home.
import { scan } from '../harness/axe';
import { call, newMember } from '../harness/people';
import { appReady } from '../harness/ready';
import { expect, test } from '../harness/watch';

test('a goal of minutes is set, counted while one reads, and shown on Home (reading-progress.daily-goal)', async ({ page }) => {
  await newMember(page);
  await page.goto('/my-progress#goal');
  await page.getByRole('button', { name: 'Set a goal' }).click();
  const dialog = page.getByRole('dialog', { name: 'Daily goal' });
  await dialog.getByLabel('Minutes a day').fill('5');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('0 of 5 minutes today')).toBeVisible();

  // Eight minutes of reading, in which the page is used. The server's clock sets the page's back now and then, which costs some seconds.
  await page.clock.install();
  await page.goto('/books/meditations');
  await appReady(page);
  await page.getByRole('button', { name: /^Read/ }).first().click();
  await expect(page.locator('.reader__section')).toBeVisible();
  const counting = page.waitForFunction(() => localStorage.getItem('reading-time') !== null);
  await page.clock.runFor(6_000);
  await counting;
  for (let minute = 0; minute < 8; minute++) {
    await page.mouse.move(200 + minute, 300);
    await page.clock.runFor(60_000);
  }
  await page.goto('/home');
  await expect(page.getByText(/^Goal met today: [5-8] minutes$/)).toBeVisible();
  await page.getByRole('link', { name: 'Your goal' }).click();
  await expect(page).toHaveURL(/\/my-progress#goal$/);
  await expect(page.getByRole('button', { name: 'Change goal' })).toBeVisible();
});

test('a goal of summaries is set, met by a summary that is finished, and shown on Home (reading-progress.daily-goal)', async ({ page }) => {
  await newMember(page);
  await page.goto('/my-progress#goal');
  await page.getByRole('button', { name: 'Set a goal' }).click();
  const dialog = page.getByRole('dialog', { name: 'Daily goal' });
  await dialog.getByText('Summaries', { exact: true }).click();
  await scan(page, 'the dialog of the goal');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('0 of 1 summary today')).toBeVisible();

  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  await call(page.request, 'PUT', '/api/user-book-history', { bookId: 'meditations', position: 99, completed: true }, token);
  await page.goto('/home');
  await expect(page.getByText('Goal met today: 1 summary')).toBeVisible();
});
