// The daily review: cards of highlights and of one's own, rated by keys, and a week offline.
import type { Page } from '@playwright/test';
import { scanEverywhere } from '../harness/axe';
import { NO_NETWORK, goOffline, goOnline, installed, knowsWhenOffline } from '../harness/offline';
import { newMember, readForFree } from '../harness/people';
import { appReady } from '../harness/ready';
import { expect, test } from '../harness/watch';

interface Card {
  schedule: { answers: number; due: string };
}

/** The member's review cards as the server has them. */
async function cards(page: Page): Promise<Card[]> {
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  const answer = await page.request.get('/api/study/changes', { headers: { Authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { result: { cards: Card[] } }).result.cards;
}

/** How many answers the server has in all. */
const answers = async (page: Page) => (await cards(page)).reduce((sum, { schedule }) => sum + schedule.answers, 0);

/** Writes a question of one's own. */
async function write(page: Page, question: string, answer: string): Promise<void> {
  await page
    .getByRole('button', { name: /^(?:New|Write a) question$/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'New question' });
  await dialog.getByLabel('Question').fill(question);
  await dialog.getByLabel('Answer').fill(answer);
  await dialog.getByRole('button', { name: 'Add to review' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(question)).toBeVisible();
}

const question = (page: Page, text: string) => page.getByRole('heading', { name: text });

test('a highlight and an own question are asked, rated by keys and taken back, and the server has the answers', async ({ page }) => {
  await newMember(page);
  await page.goto('/books/walden');
  await readForFree(page);
  await appReady(page);
  await page.keyboard.press('h');
  await expect(page.locator('mark[data-cursor]').first()).toBeVisible();
  await page.keyboard.press('n');
  const sheet = page.getByRole('dialog', { name: 'Highlight' });
  await sheet.getByRole('button', { name: 'Add to review' }).click();
  const words = sheet.getByRole('toolbar', { name: 'Words to hide' });
  await expect(words.getByRole('button', { pressed: true })).toHaveCount(1);
  await scanEverywhere(page, 'the words to hide');
  await page.setViewportSize({ width: 1440, height: 900 });
  await sheet.getByRole('button', { name: 'Add to review' }).last().click();
  await expect(sheet.getByRole('button', { name: 'In review: change the hidden words' })).toBeVisible();
  await expect.poll(async () => (await cards(page)).length).toBe(1);

  await page.goto('/review/cards');
  await write(page, 'Where did Thoreau live?', 'At Walden Pond.');
  await scanEverywhere(page, 'the list of review cards');
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(async () => (await cards(page)).length).toBe(2);

  await page.goto('/review');
  await expect(page.getByText('1 of 2', { exact: false })).toBeVisible();
  await scanEverywhere(page, 'a question of the review');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Space');
  const ratings = page.getByRole('group', { name: 'How well did you know it?' });
  await expect(ratings).toBeVisible();
  await scanEverywhere(page, 'an answer of the review');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('3');
  await expect(page.getByText('2 of 2', { exact: false })).toBeVisible();
  await page.keyboard.press('u');
  await expect(page.getByText('1 of 2', { exact: false })).toBeVisible();
  for (const rating of ['3', '4']) {
    await page.keyboard.press('Space');
    await expect(ratings).toBeVisible();
    await page.keyboard.press(rating);
  }
  await expect(question(page, 'Done for today')).toBeVisible();
  await expect.poll(() => answers(page)).toBe(2);
  await page.reload();
  await expect(page.getByRole('heading', { name: /^(?:Done for today|Nothing to review today)$/ })).toBeVisible();
});

test.describe('offline', () => {
  test.use({ serviceWorkers: 'allow', contextOptions: { reducedMotion: 'reduce' } });
  test.beforeEach(({ page }) => knowsWhenOffline(page));

  test('cards are written and rated, are there after a restart, and are sent once', async ({ page, context, quiet }) => {
    quiet.allow(NO_NETWORK);
    await newMember(page);
    await page.goto('/home');
    await installed(page);
    await page.goto('/review/cards');
    await write(page, 'What is the cost of a thing?', 'The life that is exchanged for it.');
    await expect.poll(async () => (await cards(page)).length).toBe(1);
    await page.goto('/review');
    await expect(question(page, 'What is the cost of a thing?')).toBeVisible();
    const sent: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/api/study/answers')) sent.push(response.url());
    });

    await goOffline(context, page);
    await page.goto('/review/cards');
    await write(page, 'What do most people lead?', 'Lives of quiet desperation.');
    await page.goto('/review');
    await expect(page.getByRole('button', { name: 'Show answer' })).toBeVisible();
    const ratings = page.getByRole('group', { name: 'How well did you know it?' });
    for (const rating of ['2', '3']) {
      await page.keyboard.press('Space');
      await expect(ratings).toBeVisible();
      await page.keyboard.press(rating);
    }
    await expect(question(page, 'Done for today')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: /^(?:Done for today|Nothing to review today)$/ })).toBeVisible();
    expect(sent).toEqual([]);

    await goOnline(context, page);
    await expect.poll(() => answers(page)).toBe(2);
    expect(sent).toHaveLength(1);
    expect(await cards(page)).toHaveLength(2);
  });
});
