// Sessions: key ideas of several books on a topic, by key, by touch and from the player, online and after a time offline.
import type { Page } from '@playwright/test';
import { scanEverywhere } from '../harness/axe';
import { NO_NETWORK } from '../harness/offline';
import { newMember } from '../harness/people';
import { appReady } from '../harness/ready';
import { expect, test } from '../harness/watch';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const ideas = (page: Page) => page.locator('.session-idea');
const player = (page: Page) => page.getByRole('region', { name: 'Audio player' });

interface Entry {
  id: number;
  position: number;
}

/** The member's history, as the server has it. */
async function history(page: Page): Promise<Entry[]> {
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  const answer = await page.request.get('/api/user-book-history', { headers: { Authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { result: { books: Entry[] } }).result.books;
}

/** Where an idea is from: the address that its book's title leads to. */
const source = (page: Page, index: number) => ideas(page).nth(index).locator('.session-idea__book').getAttribute('href');
/** The section in such an address, from 0. */
const sectionOf = (address: string | null) => Number(/section=(\d+)/.exec(address ?? '')?.[1] ?? 1) - 1;

test('by key: a topic becomes a sequence, ideas are completed one by one, and none comes again', async ({ page }) => {
  await newMember(page);
  await page.goto('/session');
  await appReady(page);
  await scanEverywhere(page, 'the form of a session');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByLabel('Minutes').fill('6');
  await page.getByLabel('Topic').fill('death');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/session?minutes=6&topic=death');
  await expect(page.getByRole('heading', { level: 1, name: 'I have 6 minutes on death' })).toBeVisible();
  await expect(ideas(page).first()).toBeVisible();
  const total = await ideas(page).count();
  expect(total).toBeGreaterThan(1);
  await scanEverywhere(page, 'a session');
  await page.setViewportSize({ width: 1440, height: 900 });
  const titles = await page.locator('.session-idea h2').allTextContents();
  const first = await source(page, 0);

  await ideas(page).first().getByRole('button', { name: 'Done, next idea' }).press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: titles[1] ?? '' })).toBeFocused();
  await expect(page.getByRole('progressbar', { name: 'Session progress' })).toHaveAttribute('aria-valuenow', '1');
  await expect.poll(async () => (await history(page)).some(({ position }) => position === sectionOf(first))).toBe(true);
  for (let index = 1; index < total; index += 1) {
    await ideas(page)
      .nth(index)
      .getByRole('button', { name: index === total - 1 ? 'Finish' : 'Done, next idea' })
      .press('Enter');
  }
  await expect(page.getByRole('link', { name: 'Another session' })).toBeVisible();
  await scanEverywhere(page, 'the end of a session');
  await page.setViewportSize({ width: 1440, height: 900 });

  // Another one on the same topic has none of these ideas.
  await page.goto('/session?minutes=6&topic=death');
  await appReady(page);
  await expect(page.getByRole('heading', { level: 1, name: 'I have 6 minutes on death' })).toBeVisible();
  await expect.poll(async () => (await ideas(page).count()) + (await page.getByRole('link', { name: 'Choose another topic' }).count())).toBeGreaterThan(0);
  for (const title of await page.locator('.session-idea h2').allTextContents()) expect(titles).not.toContain(title);
});

test('heard in one go: part follows part, each at the place of its book, and what was heard is done', async ({ page }) => {
  await newMember(page);
  await page.goto('/session?minutes=3&topic=mind');
  await appReady(page);
  await expect(ideas(page).first()).toBeVisible();
  await page.getByRole('button', { name: 'Listen', exact: true }).click();
  await expect(player(page).getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  const heard = page.locator('.session-idea[aria-current="true"]');
  await expect(heard).toHaveCount(1);
  const [title, address] = await Promise.all([heard.locator('h2').textContent(), heard.locator('.session-idea__book').getAttribute('href')]);
  await expect(player(page)).toContainText(`${title ?? ''} · Meditations`);
  // The recordings of the tests take some seconds for an idea.
  for (const speed of ['1.25', '1.5', '1.75', '2']) {
    await player(page)
      .getByRole('button', { name: /^Speed/ })
      .click();
    await expect(player(page).getByRole('button', { name: `Speed ${speed}×` })).toBeVisible();
  }
  await expect(heard.locator('h2')).not.toHaveText(title ?? '', { timeout: 60_000 });
  await expect(player(page).getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  const first = ideas(page).filter({ has: page.getByRole('heading', { level: 2, name: title ?? '', exact: true }) });
  await expect(first.getByText('Done', { exact: true })).toBeVisible();
  // Two elements take turns, and one plays.
  expect(await page.locator('audio').evaluateAll((all) => all.filter((audio) => !(audio as HTMLAudioElement).paused).length)).toBe(1);
  await expect.poll(async () => (await history(page)).length).toBeGreaterThan(0);
  expect(address).toContain('/books/meditations');
  // What was heard is not offered again.
  await page.getByRole('button', { name: 'Start again' }).click();
  await expect(ideas(page).first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: title ?? '', exact: true })).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use(PHONE);

  test('by touch: a session from Home, read to the end of an idea', async ({ page }) => {
    await newMember(page);
    await page.goto('/home');
    await appReady(page);
    await page.getByRole('navigation', { name: 'I have … minutes' }).getByRole('link', { name: '5 minutes', exact: true }).tap();
    await expect(page).toHaveURL('/session?minutes=5');
    await expect(ideas(page).first()).toBeVisible();
    await ideas(page).first().getByRole('button', { name: 'Done, next idea' }).tap();
    await expect(ideas(page).first().getByText('Done', { exact: true })).toBeVisible();
    await expect.poll(async () => (await history(page)).length).toBe(1);
  });

  test('what was completed without a connection is sent when it is back', async ({ page, context, quiet }) => {
    quiet.allow(NO_NETWORK);
    await newMember(page);
    await page.goto('/session?minutes=5');
    await appReady(page);
    await expect(ideas(page).first()).toBeVisible();
    await context.setOffline(true);
    await ideas(page).first().getByRole('button', { name: 'Done, next idea' }).tap();
    await expect(ideas(page).first().getByText('Done', { exact: true })).toBeVisible();
    const sent = page.waitForResponse((response) => response.url().endsWith('/api/study/completed-ideas') && response.ok());
    await context.setOffline(false);
    await sent;
    await expect.poll(async () => (await history(page)).length).toBe(1);
  });
});
