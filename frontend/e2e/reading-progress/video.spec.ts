// Watching, on the real server.
import { ready, scan } from '../harness/axe';
import { newMember, signInAs } from '../harness/people';
import { expect, test } from '../harness/watch';

test('a visitor is sent to log in, and comes back', async ({ page, quiet }) => {
  quiet.allow(/status of 401/);
  await page.goto('/video/walden');
  await expect(page).toHaveURL(/\/login\?redirect=%2Fvideo%2Fwalden$/);
});

test('a free member is sent to the plans with a reason', async ({ page, quiet }) => {
  quiet.allow(/status of 403/);
  await newMember(page);
  await page.goto('/video/walden');
  await expect(page).toHaveURL(/\/try$/);
  await expect(page.getByText('Please upgrade to see the full video content for this summary.')).toBeVisible();
});

test('a book without a video says so, and leads back to the summary', async ({ page }) => {
  await page.goto('/video/meditations');
  await expect(page.getByRole('heading', { level: 1, name: 'Meditations' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No video available yet for this book.' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to the summary' }).click();
  await expect(page).toHaveURL(/\/books\/meditations$/);
});

test('an unknown book is not found', async ({ page, quiet }) => {
  quiet.allow(/status of 404|There is no such book/);
  await page.goto('/video/no-such-book');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
});

test('a paid member watches: the start is logged, the voice falls silent, the place is remembered', async ({ page }) => {
  await signInAs(page, 'paid');
  await page.goto('/books/walden');
  await ready(page);
  await page.locator('.book-intro').getByRole('button', { name: 'Listen' }).click();
  const bar = page.getByRole('region', { name: 'Audio player' });
  await expect(bar.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await page.locator('.book-intro').getByRole('link', { name: 'Watch' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Walden' })).toBeVisible();
  const film = page.locator('video');
  const logged = page.waitForResponse((answer) => answer.request().method() === 'POST' && /\/api\/user-book-history\/\d+$/.test(answer.url()) && answer.ok());
  await film.evaluate((video: HTMLVideoElement) => video.play());
  await logged;
  await expect(bar.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await film.evaluate((video: HTMLVideoElement) => (video.currentTime = 12));
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(12.1);
  await film.evaluate((video: HTMLVideoElement) => video.pause());
  await page.reload();
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(12);
  await scan(page, 'the film', { exclude: 'video' });
});
