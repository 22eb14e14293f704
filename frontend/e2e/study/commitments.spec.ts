// Commitments: kept at the end of a book by key and by touch, asked again on Home three days later, listed in My Progress; and offline
// on two devices.
import type { Page } from '@playwright/test';
import { scanEverywhere } from '../harness/axe';
import { ageCommitments } from '../harness/database';
import { NO_NETWORK, goOffline, goOnline, installed, knowsWhenOffline } from '../harness/offline';
import { PASSWORD, logIn, newMember } from '../harness/people';
import { place } from '../harness/reading';
import { appReady } from '../harness/ready';
import { expect, test } from '../harness/watch';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const card = (page: Page) => page.getByRole('dialog', { name: 'You have finished this summary' });
const field = (page: Page) => page.getByRole('textbox', { name: 'What will you do with it?' });

/** Opens a free book at its last key idea, and finishes it. */
async function finish(page: Page): Promise<void> {
  await page.goto('/books/meditations?section=9');
  await appReady(page);
  await expect(place(page)).toHaveText('9/10');
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(card(page)).toBeVisible();
}

/** What the server has of a member's commitments: their words, outcome and answered day. */
async function stored(page: Page): Promise<string[]> {
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  const answer = await page.request.get('/api/study/changes', { headers: { Authorization: `Bearer ${token}` } });
  const { result } = (await answer.json()) as {
    result: { commitments: { text: { value: string }; outcome: { value: string }; answeredDay: number | null }[] };
  };
  return result.commitments.map(({ text, outcome, answeredDay }) => `${text.value} ${outcome.value} ${answeredDay ?? ''}`.trim()).sort();
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.textContent ?? '');
    if (focused === name) return;
  }
  throw new Error(`'${name}' can't be reached by Tab.`);
}

test('by key: it is kept at the end of a book, asked again three days later, and listed', async ({ page }) => {
  const email = await newMember(page);
  await finish(page);
  await expect(field(page)).toBeVisible();
  await scanEverywhere(page, 'what a member will do with a book');
  await page.setViewportSize({ width: 1440, height: 900 });
  await field(page).focus();
  await page.keyboard.type('Write down what went well.');
  await page.keyboard.press('Enter');
  await expect(card(page).getByText('You want to:')).toBeVisible();
  await expect.poll(() => stored(page)).toEqual(['Write down what went well. open']);
  await scanEverywhere(page, 'what a member has kept');
  await page.setViewportSize({ width: 1440, height: 900 });
  await tabTo(page, 'Change');
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Write down three things each evening.');
  await page.keyboard.press('Enter');
  await expect.poll(() => stored(page)).toEqual(['Write down three things each evening. open']);

  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Pick up where you left off' })).toBeVisible();
  await expect(page.getByText('you wanted to:')).toHaveCount(0);
  await ageCommitments(email);
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Three days ago you wanted to:' })).toBeVisible();
  await expect(page.getByText('Write down three things each evening.')).toBeVisible();
  await scanEverywhere(page, 'a question on Home');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Done' }).focus();
  await tabTo(page, 'Not yet');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^You will be asked once more on/)).toBeVisible();
  await expect(page.getByText(/^Thank you\./)).toBeFocused();
  await expect.poll(() => stored(page)).toEqual(['Write down three things each evening. open 3']);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Pick up where you left off' })).toBeVisible();
  await appReady(page);
  await expect(page.getByText('you wanted to:')).toHaveCount(0);

  await page.goto('/my-progress');
  const list = page.getByRole('region', { name: 'Commitments' });
  await expect(list.getByRole('heading', { name: 'Open 1' })).toBeVisible();
  await list.getByRole('button', { name: /^Edit/ }).click();
  await scanEverywhere(page, 'a commitment that is edited');
  await page.setViewportSize({ width: 1440, height: 900 });
  await list.getByRole('radio', { name: 'Done' }).check({ force: true });
  await list.getByRole('button', { name: 'Save' }).click();
  await expect(list.getByRole('heading', { name: 'Done 1' })).toBeVisible();
  await scanEverywhere(page, 'the list of commitments');
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(() => stored(page)).toEqual(['Write down three things each evening. done 3']);
  await list.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(list.getByRole('heading', { name: 'Done 1' })).toBeVisible();
});

test('switched off, neither the end of a book nor Home asks, and the list stays', async ({ page }) => {
  const email = await newMember(page);
  await finish(page);
  await field(page).fill('Walk.');
  await page.keyboard.press('Enter');
  await expect.poll(() => stored(page)).toEqual(['Walk. open']);
  await ageCommitments(email);
  await page.goto('/study-settings');
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT' && response.url().includes('/api/study/settings') && response.ok());
  await page.getByRole('checkbox', { name: 'Ask me what became of it' }).click();
  await saved;
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Pick up where you left off' })).toBeVisible();
  await appReady(page);
  await expect(page.getByText('you wanted to:')).toHaveCount(0);
  await page.goto('/my-progress');
  await expect(page.getByRole('region', { name: 'Commitments' }).getByText('Walk.')).toBeVisible();
});

test.describe('on a phone', () => {
  test.use(PHONE);

  test('by touch: a key idea is chosen, changed, and dropped three days later', async ({ page }) => {
    const email = await newMember(page);
    await finish(page);
    const ideas = card(page).getByRole('list', { name: 'Or use a key idea:' });
    await ideas.getByRole('button').first().tap();
    await expect(field(page)).toHaveValue(/^Use this: \S/);
    const text = await field(page).inputValue();
    await card(page).getByRole('button', { name: 'Keep' }).tap();
    await expect(card(page).getByText(text)).toBeVisible();
    await expect.poll(() => stored(page)).toEqual([`${text} open`]);
    await ageCommitments(email);
    await page.goto('/home');
    const question = page.getByRole('group', { name: text });
    await question.getByRole('button', { name: 'Drop it' }).tap();
    await expect(page.getByText('Dropped.')).toBeVisible();
    await expect.poll(() => stored(page)).toEqual([`${text} dropped`]);
  });
});

test.describe('offline', () => {
  test.use({ serviceWorkers: 'allow', contextOptions: { reducedMotion: 'reduce' } });
  test.beforeEach(({ page }) => knowsWhenOffline(page));

  test('on two devices: what each has changed is merged, and is there after a restart', async ({ page, context, browser, quiet }) => {
    quiet.allow(NO_NETWORK);
    const email = await newMember(page);
    await page.goto('/home');
    await installed(page);
    await finish(page);
    await field(page).fill('Walk.');
    await page.keyboard.press('Enter');
    await expect.poll(() => stored(page)).toEqual(['Walk. open']);
    await ageCommitments(email);
    await page.goto('/home');
    await expect(page.getByRole('heading', { name: 'Three days ago you wanted to:' })).toBeVisible();

    const otherContext = await browser.newContext({ serviceWorkers: 'allow', reducedMotion: 'reduce' });
    const other = await otherContext.newPage();
    await knowsWhenOffline(other);
    await logIn(other, email, PASSWORD);
    await other.goto('/home');
    await installed(other);
    await other.goto('/my-progress');
    const list = (device: Page) => device.getByRole('region', { name: 'Commitments' });
    await expect(list(other).getByText('Walk.')).toBeVisible();

    await goOffline(context, page);
    await goOffline(otherContext, other);
    // One changes the words, the other says that it is done.
    const question = page.getByRole('group', { name: 'Walk.' });
    await question.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('textbox', { name: 'What will you do?' }).fill('Walk each morning.');
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^Thank you\./)).toBeVisible();
    await list(other).getByRole('button', { name: /^Edit/ }).click();
    await list(other).getByRole('radio', { name: 'Done' }).check({ force: true });
    await list(other).getByRole('button', { name: 'Save' }).click();
    await expect(list(other).getByRole('heading', { name: 'Done 1' })).toBeVisible();
    // What is on the device is there after a restart.
    await page.goto('/my-progress');
    await expect(list(page).getByText('Walk each morning.')).toBeVisible();
    await expect(list(page).getByRole('heading', { name: 'Open 1' })).toBeVisible();

    await goOnline(otherContext, other);
    await expect.poll(() => stored(other)).toEqual(['Walk. done']);
    await goOnline(context, page);
    await expect.poll(() => stored(page)).toEqual(['Walk each morning. done 3']);
    for (const device of [page, other]) {
      await device.goto('/my-progress');
      await expect(list(device).getByText('Walk each morning.')).toBeVisible();
      await expect(list(device).getByRole('heading', { name: 'Done 1' })).toBeVisible();
    }
    await otherContext.close();
  });
});
