// One member, several devices: places and completions merge, late and out of order; no page moves its reader without asking or saying so.
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { scan } from '../harness/axe';
import { logIn, newMember, PASSWORD } from '../harness/people';
import { isSave, place, reader, turn } from '../harness/reading';
import type { Said } from '../harness/reading';
import { appReady } from '../harness/ready';
import { expect, test } from '../harness/watch';

// Motion off: axe measures colours, and a card half faded in has others.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const MINUTE = 60_000;
/** A free book of nine sections with text, and one for the rating. */
const BOOK = '/books/meditations';

async function device(browser: Browser, baseURL: string | undefined, email: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ ...(baseURL && { baseURL }), viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await logIn(page, email, PASSWORD);
  return { context, page };
}

async function open(page: Page, address = BOOK): Promise<void> {
  await page.goto(address);
  await expect(reader(page)).toBeVisible();
  await appReady(page);
}

/** Does something that saves a place, and waits until the server has it. */
async function saving(page: Page, act: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse((response) => isSave(response.request()) && response.ok());
  await act();
  await answer;
}

const stay = (page: Page) => saving(page, () => page.getByRole('button', { name: 'Stay here' }).click());

async function turnTo(page: Page, section: number): Promise<void> {
  for (let at = Number((await place(page).innerText()).split('/')[0]); at < section; at++) await turn(page);
}

/** The page's saves get lost on their way from here on; what they said is gathered. */
async function loseSaves(page: Page): Promise<Said[]> {
  const lost: Said[] = [];
  await page.route('**/api/user-book-history', async (route) => {
    if (!isSave(route.request())) return route.fallback();
    lost.push(route.request().postDataJSON() as Said);
    await route.abort('failed');
  });
  return lost;
}

const progressOf = (page: Page) =>
  page.evaluate(async () => {
    const headers = { Authorization: `Bearer ${localStorage.getItem('token') ?? ''}` };
    const book = (await (await fetch('/api/user-book-history/meditations', { headers })).json()) as {
      result: { completed: boolean; place: { position: number; furthest: number } };
    };
    const xp = (await (await fetch('/api/user-book-history/xp', { headers })).json()) as { result: { xp: number } };
    return { ...book.result, xp: xp.result.xp };
  });

test('requests that arrive a minute late and out of order move no reader and lose no completion', async ({ page, browser, baseURL }) => {
  test.slow();
  const email = await newMember(page);
  const phone = await device(browser, baseURL, email);

  // The phone reads to the end on a train: what it says is on its way for a minute.
  await open(phone.page);
  const onTheWay = await loseSaves(phone.page);
  await phone.page.getByRole('button', { name: 'Contents' }).click();
  await phone.page.getByRole('dialog', { name: 'Contents' }).getByRole('button').nth(8).click();
  await expect(place(phone.page)).toHaveText('8/10');
  await expect.poll(() => onTheWay.length).toBeGreaterThan(0);
  await phone.page.keyboard.press('ArrowRight');
  // The end of the last idea on the screen finishes the book.
  await phone.page.keyboard.press('End');
  await expect.poll(() => onTheWay.some(({ completed }) => completed)).toBe(true);
  await phone.page.keyboard.press('ArrowLeft');
  await expect(place(phone.page)).toHaveText('8/10');
  await expect.poll(() => onTheWay.filter(({ position }) => position === 7).length).toBeGreaterThan(1);

  // Meanwhile the laptop begins the book.
  await open(page);
  await turn(page);
  await turn(page);
  await expect(place(page)).toHaveText('3/10');

  // Now the phone's requests come through, the last first, sent a minute ago.
  const headers = { Authorization: `Bearer ${await phone.page.evaluate(() => localStorage.getItem('token') ?? '')}` };
  for (const said of [...onTheWay].reverse()) {
    const answer = await phone.page.request.put('/api/user-book-history', { headers, data: { ...said, at: said.at - MINUTE, sent: said.sent - MINUTE } });
    expect(answer.ok()).toBe(true);
  }
  expect(await progressOf(page)).toMatchObject({ completed: true, xp: 10, place: { position: 2, furthest: 8 } });

  // The laptop stays where it is, however often it looks.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(place(page)).toHaveText('3/10');
  await page.reload();
  await expect(place(page)).toHaveText('3/10');
  await phone.context.close();
});

test('a page left open on one device asks before it goes to the place of another device', async ({ page, browser, baseURL }) => {
  test.slow();
  const email = await newMember(page);
  await open(page);
  await turn(page);
  const phone = await device(browser, baseURL, email);
  await open(phone.page);
  await expect(place(phone.page)).toHaveText('2/10');
  await turnTo(phone.page, 5);

  // Back at the laptop, whose page was open all the while.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  const question = page.getByText('You are further along on another device');
  await expect(question).toBeVisible();
  await expect(place(page)).toHaveText('2/10');
  await scan(page, 'the question');
  await stay(page);
  await expect(question).toHaveCount(0);
  await expect(page.locator('.reader__title')).toBeFocused();
  await expect(place(page)).toHaveText('2/10');

  // Now the laptop was the last: the phone is not moved back, but asked.
  await phone.page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(phone.page.getByText('You are at a different place on another device')).toBeVisible();
  await expect(place(phone.page)).toHaveText('5/10');
  await scan(phone.page, 'the question on the phone');
  await stay(phone.page);

  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(question).toBeVisible();
  await page.getByRole('button', { name: 'Go there' }).click();
  await expect(place(page)).toHaveText('5/10');
  await expect(page.locator('.reader__title')).toBeFocused();
  await phone.context.close();
});

test('a book that is opened again continues at the furthest device, and says so', async ({ page, browser, baseURL }) => {
  test.slow();
  const email = await newMember(page);
  await open(page);
  await turn(page);
  const phone = await device(browser, baseURL, email);
  await open(phone.page);
  await turnTo(phone.page, 4);
  await open(page);
  await expect(place(page)).toHaveText('4/10');
  await expect(page.getByText('Continued from your other device')).toBeVisible();
  await page.getByRole('button', { name: 'Go back' }).click();
  await expect(place(page)).toHaveText('2/10');
  await phone.context.close();
});

test('what was completed offline in a tab that was closed arrives with the next visit', async ({ page, quiet }) => {
  quiet.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await newMember(page);
  // The chunk of the end is loaded once the text is shown.
  const end = Promise.all(
    ['css', 'js'].map((type) => page.waitForResponse((response) => response.url().includes(`/reader-end.`) && response.url().endsWith(type))),
  );
  await open(page);
  await Promise.all((await end).map((response) => response.finished()));
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Contents' }).click();
  await page.getByRole('dialog', { name: 'Contents' }).getByRole('button').nth(9).click();
  await expect(place(page)).toHaveText('9/10');
  await page.keyboard.press('End');
  await expect(page.getByText(/could not be marked as completed yet/)).toBeVisible();
  await page.goto('about:blank');
  await page.context().setOffline(false);
  // Now and then the tab that goes still gets it out by itself.
  await page.goto('/home');
  await expect.poll(() => progressOf(page)).toMatchObject({ completed: true, xp: 10, place: { position: 8 } });
});
