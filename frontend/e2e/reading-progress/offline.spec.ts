// Offline use in a real browser: the service worker, what is kept on the device, the queue, a logout, an upgrade.
import type { Page } from '@playwright/test';
import { scanEverywhere } from '../harness/axe';
import { NO_NETWORK, goOffline, goOnline, installed, knowsWhenOffline } from '../harness/offline';
import { logIn, newMember, PASSWORD, readForFree } from '../harness/people';
import { place, reader, turn } from '../harness/reading';
import { expect, test } from '../harness/watch';

test.use({ serviceWorkers: 'allow', contextOptions: { reducedMotion: 'reduce' } });
test.beforeEach(({ page }) => knowsWhenOffline(page));

/** How many summaries, recordings and responses are on the device, and how many files of a member. */
const onDevice = (page: Page) =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('pith-copies');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(new Error('The database can’t be opened.'));
    });
    const stores = Array.from(db.objectStoreNames);
    const counts = await Promise.all(
      stores.map(
        (store) =>
          new Promise<number>((resolve, reject) => {
            const counting = db.transaction(store).objectStore(store).count();
            counting.onsuccess = () => resolve(counting.result);
            counting.onerror = () => reject(new Error(store));
          }),
      ),
    );
    db.close();
    const files = await Promise.all(
      ['pictures', 'recordings'].map(async (name) => ((await caches.has(name)) ? (await (await caches.open(name)).keys()).length : 0)),
    );
    const stored = Object.keys(localStorage).filter((key) => !['device', 'pith-theme', 'pith-font-size', 'pith-speed'].includes(key));
    return { copies: counts.reduce((sum, count) => sum + count, 0), files: files.reduce((sum, count) => sum + count, 0), stored };
  });

/** The summaries on the device, by subid. */
const keptBooks = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open('pith-copies');
        opening.onsuccess = () => {
          const reading = opening.result.transaction('books').objectStore('books').getAll();
          reading.onsuccess = () => {
            opening.result.close();
            resolve((reading.result as { subid: string }[]).map(({ subid }) => subid));
          };
        };
      }),
  );

/** Whether the copies of the member's pages were renewed, which a page does when it is idle, unless it is left before. */
const isRenewed = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('pith-copies');
        opening.onsuccess = () => {
          const reading = opening.result.transaction('responses').objectStore('responses').get('renewed');
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result !== undefined);
          };
        };
      }),
  );

/** How many covers are on the device. */
const keptCovers = (page: Page) => page.evaluate(async () => (await (await caches.open('pictures')).keys()).length);

/** Opens a free book and waits until it is on the device. */
async function openBook(page: Page, subid: string): Promise<void> {
  await page.goto(`/books/${subid}`);
  await expect(reader(page)).toBeVisible();
  await expect.poll(() => keptBooks(page)).toContain(subid);
}

interface ProgressResult {
  xp: number;
  numCompleted: number;
}

async function ask<T>(page: Page, path: string): Promise<T> {
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  const answer = await page.request.get(path, { headers: { Authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { result: T }).result;
}

const unsent = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('unsentPlaces') ?? '[]') as { kind?: string; completed?: boolean }[]);

/** Turns to the last section with text and to its end, which completes the book. */
async function readToTheEnd(page: Page): Promise<void> {
  const [at = 1, total = 1] = (await place(page).innerText()).split('/').map(Number);
  for (let section = at; section < total - 1; section++) {
    await page.keyboard.press('ArrowRight');
    await expect(place(page)).toHaveText(`${section + 1}/${total}`);
  }
  // By the screen: the End key may jump past the end of the text, to what is below it.
  await expect
    .poll(async () => {
      await page.keyboard.press('PageDown');
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      return (await unsent(page)).some(({ completed }) => completed);
    })
    .toBe(true);
}

test('a week offline: what was read, completed, rated, listened to and saved arrives once', async ({ page, context, quiet }) => {
  quiet.allow(NO_NETWORK);
  quiet.allow(/was not saved/);
  const email = await newMember(page);
  await page.goto('/home');
  await installed(page);
  await page.goto('/books/walden');
  await readForFree(page);
  await expect.poll(() => keptBooks(page)).toContain('walden');
  // A cover comes after its summary, unless the page is left before.
  await expect.poll(() => keptCovers(page)).toBe(1);
  await openBook(page, 'meditations');
  await expect.poll(() => keptCovers(page)).toBe(2);
  await turn(page);
  await expect(place(page)).toHaveText(/^2\//);
  await reader(page).getByRole('button', { name: 'Options' }).click();
  const options = page.getByRole('dialog', { name: 'Options' });
  await options.getByRole('button', { name: /^Keep the recording on this device \(/ }).click();
  await expect(options.getByText(/^The recording is on this device \(/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await unsent(page)).length).toBe(0);
  await expect.poll(() => isRenewed(page)).toBe(true);

  // What the server has answered: until the network is there, the app may try in vain.
  const sent: string[] = [];
  page.on('response', (response) => {
    const request = response.request();
    if (!['GET', 'HEAD'].includes(request.method()) && request.url().includes('/api/'))
      sent.push(`${request.method()} ${new URL(request.url()).pathname} ${request.postData() ?? ''}`);
  });
  await goOffline(context, page);
  // The access token is a week old by now.
  await page.evaluate(() => localStorage.setItem('tokenDate', String(Date.now() - 7 * 24 * 3_600_000)));

  // A cold start: the home, the library and the summaries are there, with their covers.
  await page.goto('/home');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('You are offline.')).toBeVisible();
  await page.goto('/library?view=device');
  await expect(page.getByRole('heading', { level: 3 })).toHaveText(['Meditations', 'Walden']);
  await expect
    .poll(() =>
      page
        .locator('.book-card__image')
        .first()
        .evaluate((cover: HTMLImageElement) => cover.naturalWidth),
    )
    .toBeGreaterThan(0);
  // The buttons of a card lie above its link.
  await page.getByRole('button', { name: 'Add to list: Walden' }).click();
  await expect(page.getByRole('dialog', { name: 'Add to list' })).toBeVisible();
  await page.keyboard.press('Escape');
  await scanEverywhere(page, 'what is on this device');

  // Another page says that it is not here, within the app.
  await page.goto('/books/the-art-of-war');
  await expect(page.getByRole('heading', { name: 'Not on this device' })).toBeVisible();
  await scanEverywhere(page, 'a summary that is not on this device');

  // It opens where it was left; what was kept plays.
  await page.goto('/books/meditations');
  await expect(place(page)).toHaveText(/^2\//);
  await reader(page).getByRole('button', { name: 'Listen', exact: true }).click();
  const player = page.getByRole('region', { name: 'Audio player' });
  await expect(player.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await expect
    .poll(() =>
      page
        .locator('audio')
        .last()
        .evaluate((audio: HTMLAudioElement) => audio.currentTime),
    )
    .toBeGreaterThan(1);
  await player.getByRole('button', { name: 'Pause', exact: true }).click();
  await player.getByRole('button', { name: /^Close/ }).click();

  // Saved, read to its end, rated.
  await page.goto('/books/walden');
  await page.locator('.book-intro').getByRole('button', { name: 'Add to library' }).click();
  await expect(page.locator('.book-intro').getByRole('button', { name: 'Remove from library' })).toBeVisible();
  await readToTheEnd(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('radio', { name: '4 stars' }).check();
  await page.getByRole('button', { name: 'Submit rating' }).click();
  await expect(page.getByText('It will be sent when you are back online.')).toBeVisible();

  // A second start in the same week changes nothing.
  await page.goto('/library');
  await expect(page.getByRole('heading', { level: 3, name: 'Walden' })).toBeVisible();
  expect((await unsent(page)).length).toBeGreaterThanOrEqual(4);

  expect(sent).toEqual([]);
  await goOnline(context, page);
  await expect.poll(async () => (await unsent(page)).length, { timeout: 60_000 }).toBe(0);
  expect(await ask<ProgressResult>(page, '/api/user-book-history/xp')).toMatchObject({ xp: 10, numCompleted: 1 });
  expect(await ask<{ book: { hasRatingsFromUser: boolean; isInLibrary: boolean } }>(page, '/api/books/walden')).toMatchObject({
    book: { hasRatingsFromUser: true, isInLibrary: true },
  });
  const { place: heard } = await ask<{ place: { audio: number | null } }>(page, '/api/user-book-history/meditations');
  expect(heard.audio).toBeGreaterThan(500);
  // Each of them was sent once.
  expect(sent.filter((line) => line.startsWith('PUT /api/books/rating/'))).toHaveLength(1);
  expect(sent.filter((line) => line.startsWith('POST /api/library'))).toHaveLength(1);
  expect(sent.filter((line) => line.includes('"completed":true'))).toHaveLength(1);
  expect(email).toContain('@');
});

test('nothing of a member stays after a logout', async ({ page, context, quiet }) => {
  quiet.allow(NO_NETWORK);
  await newMember(page);
  await page.goto('/home');
  await installed(page);
  await openBook(page, 'meditations');
  await expect.poll(async () => (await onDevice(page)).files).toBeGreaterThan(0);
  expect((await onDevice(page)).copies).toBeGreaterThan(0);

  // Offline, a logout asks before it loses something.
  await goOffline(context, page);
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await unsent(page)).length).toBeGreaterThan(0);
  await page.goto('/logout');
  await expect(page.getByRole('heading', { name: 'Not everything was sent' })).toBeVisible();
  await scanEverywhere(page, 'a logout that would lose something');
  await page.getByRole('button', { name: 'Log out anyway' }).click();
  await expect.poll(() => onDevice(page)).toEqual({ copies: 0, files: 0, stored: [] });

  // The next person at this device finds no page of the last one.
  await page.goto('/books/meditations');
  await expect(page.getByRole('heading', { name: 'Not on this device' })).toBeVisible();
});

test('nothing of a member stays when the session has ended elsewhere', async ({ page, quiet }) => {
  quiet.allow(/status of 401/);
  // The worker asks the server for the empty page of `logIn`.
  quiet.allow(/empty-page-of-the-tests/);
  const email = await newMember(page);
  await page.goto('/home');
  await installed(page);
  await openBook(page, 'meditations');
  await expect.poll(async () => (await onDevice(page)).copies).toBeGreaterThan(0);
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  await page.request.post('/api/user/logout', { headers: { Authorization: `Bearer ${token}`, Origin: new URL(page.url()).origin } });
  await page.goto('/library');
  await expect(page).toHaveURL(/\/(login|signup)\?redirect/);
  await expect.poll(async () => ({ ...(await onDevice(page)), stored: [] })).toEqual({ copies: 0, files: 0, stored: [] });
  // Another login begins with nothing, and works.
  await logIn(page, email, PASSWORD);
  await page.goto('/library?view=device');
  await expect(page.getByRole('heading', { name: 'Nothing on this device yet' })).toBeVisible();
});

test('an upgrade breaks no open page and comes with the next one; the second one removes what the first kept', async ({ page, quiet }) => {
  quiet.allow(/status of 404/);
  await newMember(page);
  await page.goto('/home');
  await installed(page);
  const old = '/assets/route-of-before.01234567.js';
  // This page belongs to the build before: one of its chunks has not been asked for yet.
  await page.evaluate(async (old) => {
    await (await caches.open('assets')).put(old, new Response('// a chunk of the build before', { headers: { 'Content-Type': 'text/javascript' } }));
    const shell = await caches.open('shell');
    const lists = (await (await shell.match('/app-files'))?.json()) as { current: string[] };
    await shell.put('/app-files', Response.json({ current: [...lists.current, old], previous: [] }));
    Object.assign(window, { isOldPage: true });
  }, old);
  const update = (version: number) =>
    page.evaluate(async (version) => {
      const taken = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
      await navigator.serviceWorker.register(`/sw.js?version=${version}`);
      await taken;
    }, version);
  await update(2);
  const chunkOf = () => page.evaluate(async (old) => (await fetch(old)).status, old);
  expect(await chunkOf()).toBe(200);
  expect(await page.evaluate(() => 'isOldPage' in window)).toBe(true);
  // The next page is loaded whole, and is the new version's.
  await page.getByRole('link', { name: 'My Library' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your Library' })).toBeVisible();
  expect(await page.evaluate(() => 'isOldPage' in window)).toBe(false);
  // No page of two builds ago is open any more: its files leave with the build after this one.
  expect(await chunkOf()).toBe(200);
  await page.evaluate(async () => {
    const shell = await caches.open('shell');
    const lists = (await (await shell.match('/app-files'))?.json()) as { current: string[]; previous: string[] };
    await shell.put('/app-files', Response.json({ ...lists, current: [...lists.current, '/assets/route-of-between.01234567.js'] }));
  });
  await update(3);
  await expect.poll(chunkOf).toBe(404);
});
