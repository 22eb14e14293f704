// Reading, from a visitor's first look to the last free summary, on the real server.
import type { Page } from '@playwright/test';
import { ready, scanEverywhere } from '../harness/axe';
import { agePlaces } from '../harness/database';
import { logIn, newMember, PASSWORD, readForFree, signUp } from '../harness/people';
import { isSave, place, reader, turn } from '../harness/reading';
import { appReady } from '../harness/ready';
import { expect, test } from '../harness/watch';

const title = (page: Page) => page.locator('.reader__title');

/** The next save of a place that the server acknowledges. */
const saved = (page: Page) => page.waitForResponse((answer) => isSave(answer.request()) && answer.ok());

const card = (page: Page) => page.getByRole('dialog', { name: 'You have finished this summary' });

/** Turns to the last section with text: the one before the rating's. */
async function turnToLastIdea(page: Page): Promise<void> {
  const [at = 1, total = 1] = (await place(page).innerText()).split('/').map(Number);
  for (let i = at; i < total - 1; i++) await turn(page, 'ArrowRight');
}

/** Scrolls until the end of the text is on the screen. */
async function readToEnd(page: Page): Promise<void> {
  const answer = saved(page);
  await page.locator('.reader__end').evaluate((end) => end.scrollIntoView({ block: 'end' }));
  // Where it was on the screen on arrival already.
  await page.mouse.wheel(0, 40);
  await answer;
}

test('a visitor reads the beginning, signs up, reads on, completes, rates, keeps, and comes back', async ({ page }) => {
  test.slow();
  await page.goto('/');
  await appReady(page);
  await page.getByRole('link', { name: 'Book Summaries' }).first().click();
  await expect(page).toHaveURL(/\/books$/);
  await page.goto('/books?q=walden');
  await appReady(page);
  await page.getByRole('link', { name: 'Walden', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Walden' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Log in to keep reading' })).toBeVisible();
  await expect(page.getByRole('button', { name: /next|previous/i })).toHaveCount(0);
  await page.getByRole('button', { name: 'Add to library' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please login to access this feature');

  const email = await signUp(page);
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page).toHaveURL(/\/home$/);
  await page.goto('/books/walden');
  // The page takes nothing; only the press does.
  await page.reload();
  await expect(page.getByRole('button', { name: 'Read · uses 1 of 3 free' }).first()).toBeVisible();
  await readForFree(page);
  await expect(title(page)).toBeFocused();
  await expect(place(page)).toHaveText('1/10');
  await expect(page.getByText('2 free summaries left of 3')).toBeVisible();

  const first = await title(page).innerText();
  const answer = saved(page);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await answer;
  await expect(place(page)).toHaveText('2/10');
  await expect(title(page)).toBeFocused();
  await expect(title(page)).not.toHaveText(first);
  await expect(page).toHaveURL(/section=2/);
  await turn(page, 'ArrowLeft');
  await expect(title(page)).toHaveText(first);

  await page.getByRole('button', { name: 'Contents' }).click();
  await page.getByRole('dialog', { name: 'Contents' }).getByRole('button').nth(4).click();
  await expect(place(page)).toHaveText('4/10');

  await turnToLastIdea(page);
  await expect(place(page)).toHaveText('9/10');
  await expect(page.getByRole('button', { name: 'Finish' })).toBeAttached();
  await expect(card(page)).toHaveCount(0);
  await readToEnd(page);
  await expect(card(page)).toContainText('+10 for this one');
  await expect(card(page)).toContainText('1 day');
  // It stands below the text. Both are measured in one moment: the page may be scrolling.
  const below = await card(page).evaluate(
    (dialog) => dialog.getBoundingClientRect().top - (document.querySelector('.reader__end')?.getBoundingClientRect().top ?? Infinity),
  );
  expect(below).toBeGreaterThanOrEqual(0);

  await turn(page, 'ArrowRight');
  await expect(title(page)).toHaveText('Rate this summary');
  await page.getByRole('button', { name: 'Submit rating' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please select a rating before submitting!');
  await page.getByRole('radio', { name: '4 stars' }).check({ force: true });
  await page.getByLabel('Feedback (optional)').fill('Clear and calm.');
  await expect(page.getByText('15/500')).toBeVisible();
  await page.getByRole('button', { name: 'Submit rating' }).click();
  await expect(page.getByText(/^Thank you\./)).toBeFocused();

  await page.goto('/books/walden?section=1');
  await appReady(page);
  await expect(place(page)).toHaveText('1/9');
  await page.getByRole('button', { name: 'Add to library' }).click();
  await expect(page.getByRole('button', { name: 'Remove from library' })).toBeVisible();

  await page.goto('/library');
  await expect(page.getByRole('heading', { level: 1, name: 'Your Library' })).toBeVisible();
  // A finished book stays in the library, saved or not.
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE' && response.url().includes('/api/library/') && response.ok());
  await page.getByRole('button', { name: 'Remove Walden from library' }).click();
  await expect(page.getByRole('button', { name: 'Save Walden in library' })).toBeVisible();
  await removed;
  await page.reload();
  await expect(page.getByRole('button', { name: 'Save Walden in library' })).toBeVisible();

  await page.goto('/my-progress');
  const figure = (name: string) => page.getByRole('heading', { name, exact: true }).locator('..');
  await expect(figure('Books completed')).toContainText('1');
  await expect(figure('XP')).toContainText('10');
  await expect(figure('Streak')).toContainText('1 day');

  await page.goto('/logout');
  await expect(page).toHaveURL(/\/$/);
  await logIn(page, email, PASSWORD);
  // Finished and left at its end, it is there to be read again.
  await page.goto('/books/walden');
  await expect(page.getByText('You have finished this summary. Reading again from the beginning.')).toBeVisible();
  await expect(place(page)).toHaveText('1/9');
  await page.getByRole('button', { name: 'Read again' }).click();
  await expect(title(page)).toBeFocused();
  await turn(page, 'ArrowRight');
  await page.goto('/books/walden');
  await expect(place(page)).toHaveText('2/9');
  await page.goto('/my-progress');
  await expect(figure('Books completed')).toContainText('1');
});

test('a member who comes back after three weeks reads where they were: nothing moves, and they go on or start again', async ({ page }) => {
  const email = await newMember(page);
  await page.goto('/books/meditations');
  await appReady(page);
  await turn(page);
  const kept = page.waitForResponse((response) => response.request().method() === 'PUT' && response.url().includes('/api/study/highlights/') && response.ok());
  await page.keyboard.press('h');
  await expect(page.locator('mark.highlight-cursor').first()).toBeVisible();
  await page.keyboard.press('2');
  await kept;
  const words = (await page.locator('mark[data-highlight]').allInnerTexts()).join('');
  for (let turns = 0; turns < 4; turns++) await turn(page);
  const here = await title(page).innerText();
  await agePlaces(email);
  await page.evaluate(() => localStorage.removeItem('places'));
  await page.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });

  const where = page.getByRole('region', { name: 'Where you were' });
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/books/meditations');
    await expect(where).toContainText(`You stopped 3 weeks ago in “${here}”.`);
    await ready(page);
    expect(await page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift), `${width} px`).toBeLessThan(0.02);
    await expect(page.locator('body')).toBeFocused();
  }
  await expect(where.getByRole('blockquote')).toHaveText(words);
  await where.getByText('2 ideas before').click();
  await expect(where.getByRole('listitem')).toHaveCount(6);
  await scanEverywhere(page, 'where a member was in a book');
  await page.setViewportSize({ width: 1440, height: 900 });
  await where.getByRole('button', { name: 'Go on' }).click();
  await expect(where).toHaveCount(0);
  await expect(title(page)).toBeFocused();
  await expect(place(page)).toHaveText('6/10');
  await page.goto('/books/meditations');
  await appReady(page);
  await expect(place(page)).toHaveText('6/10');
  await expect(where).toHaveCount(0);
  // In another session of the browser.
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  const answer = saved(page);
  await where.getByRole('button', { name: 'Start again' }).click();
  await answer;
  await expect(place(page)).toHaveText('1/10');
  await expect(where).toHaveCount(0);
});

test('where a summary ends the next one is a press away', async ({ page }) => {
  await newMember(page);
  await page.goto('/books/meditations?section=8');
  await expect(place(page)).toHaveText('8/10');
  await turnToLastIdea(page);
  await page.getByRole('button', { name: 'Finish' }).click();
  const dialog = card(page);
  const next = dialog.getByRole('article').getByRole('link');
  const name = await next.innerText();
  expect(name).not.toBe('Meditations');
  await next.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Books Recommended For You' })).toHaveCount(0);
});

for (const width of [390, 1440]) {
  test(`nothing moves at the end of a summary when its chunk arrives, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await newMember(page);
    await page.addInitScript(() => {
      const seen = { shift: 0 };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const shift = () => page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);
    for (const section of [9, 10]) {
      await page.goto(`/books/meditations?section=${section}`);
      await expect(page.getByRole('heading', { name: 'Books Recommended For You' })).toBeAttached();
      await ready(page);
      expect(await shift(), `section ${section}`).toBeLessThan(0.02);
    }
    let arrive: () => void = () => undefined;
    const late = new Promise<void>((resolve) => (arrive = resolve));
    await page.route(/\/assets\/reader-end\..*js$/, async (route) => {
      await late;
      await route.continue();
    });
    await page.goto('/books/meditations?section=8');
    await appReady(page);
    await turn(page);
    await turn(page);
    await expect(title(page)).toHaveText('Rate this summary');
    await expect(page.getByText('Loading the rating form')).toBeAttached();
    const before = await shift();
    arrive();
    await expect(page.getByRole('button', { name: 'Submit rating' })).toBeVisible();
    await ready(page);
    expect((await shift()) - before).toBeLessThan(0.005);
    await expect(title(page)).toBeFocused();
  });
}

test('when the end of a summary can’t be loaded an alert says so, and the next section tries again', async ({ page, quiet }) => {
  quiet.allow(/ERR_FAILED|Failed to load resource/);
  await newMember(page);
  await page.route(/\/assets\/reader-end\./, (route) => route.abort('failed'));
  await page.goto('/books/meditations?section=10');
  await expect(page.getByRole('alert')).toHaveText('This part could not be loaded. Please check your connection and reload the page.');
  await appReady(page);
  await page.unroute(/\/assets\/reader-end\./);
  await turn(page, 'ArrowLeft');
  await turn(page);
  await expect(page.getByRole('button', { name: 'Submit rating' })).toBeVisible();
});

test('the place is where it was, on another device too', async ({ page, browser, baseURL }) => {
  const email = await newMember(page);
  await page.goto('/books/meditations');
  await expect(reader(page)).toBeVisible();
  await turn(page, 'ArrowRight');
  await turn(page, 'ArrowRight');
  await expect(place(page)).toHaveText('3/10');
  await page.reload();
  await expect(place(page)).toHaveText('3/10');

  const other = await browser.newContext({ ...(baseURL && { baseURL }), viewport: { width: 390, height: 844 } });
  const phone = await other.newPage();
  await logIn(phone, email, PASSWORD);
  await phone.goto('/books/meditations');
  await expect(reader(phone)).toBeVisible();
  await expect(place(phone)).toHaveText('3/10');
  await other.close();
});

test('three summaries are free, the third says so, the fourth asks to upgrade, the first stays open', async ({ page }) => {
  await newMember(page);
  const opened = ['walden', 'on-liberty', 'the-prince'];
  const notice = ['2 free summaries left of 3', '1 free summary left of 3', 'This was your last free summary.'];
  for (const [i, book] of opened.entries()) {
    await page.goto(`/books/${book}`);
    await readForFree(page);
    await expect(page.getByText(notice[i] ?? '')).toBeVisible();
  }
  await page.goto('/books/the-wealth-of-nations');
  await expect(page.getByRole('button', { name: 'Read · no free summaries left' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Upgrade', exact: true })).toHaveAttribute('href', '/try?redirect=%2Fbooks%2Fthe-wealth-of-nations');
  await expect(page.locator('.book-preview')).toBeVisible();
  await page.goto('/books/walden');
  await expect(place(page)).toHaveText('1/10');
});

test('size and theme are remembered', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/books/meditations');
  await appReady(page);
  const text = page.locator('.reader__text').first();
  const size = () => text.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  await page.getByRole('button', { name: 'Font size 1 of 3' }).click();
  await page.getByRole('button', { name: 'Font size 2 of 3' }).click();
  await expect(page.getByRole('button', { name: 'Font size 3 of 3' })).toBeVisible();
  const largest = await size();
  await reader(page).getByRole('button', { name: 'Dark mode' }).click();
  await expect(page.locator('body')).toHaveClass(/dark/);
  await page.reload();
  await expect(page.locator('body')).toHaveClass(/dark/);
  await expect.poll(size).toBe(largest);
  await page.getByRole('button', { name: 'Font size 3 of 3' }).click();
  await expect.poll(size).toBeLessThan(largest);
});

test('on a phone the controls leave while one reads on and come back on the way up', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/books/meditations?section=2');
  const bar = reader(page);
  await expect(bar).toBeInViewport();
  await page.mouse.wheel(0, 300);
  await expect(bar).not.toBeInViewport();
  await page.mouse.wheel(0, -80);
  await expect(bar).toBeInViewport();
  await bar.getByRole('button', { name: 'Next section' }).click();
  await expect(place(page)).toHaveText('3/9');
});

test('on a phone the hidden controls stay away where the text ends, and are there at the end of the page', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/books/meditations?section=2');
  const bar = reader(page);
  await expect(bar).toBeVisible();
  await page.mouse.wheel(0, 400);
  await expect(bar).toHaveCSS('opacity', '0');
  // The text's end is on the screen, and the page goes on for longer than what brings the controls back.
  const end = await page.locator('.reader').evaluate((element) => element.getBoundingClientRect().bottom + window.scrollY);
  const gap = await page.evaluate((end) => document.documentElement.scrollHeight - end, end);
  expect(gap).toBeGreaterThan(260);
  await page.evaluate((top) => window.scrollTo(0, top), end - 844 + 80);
  await expect(bar).toHaveCSS('opacity', '0');
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(bar).toHaveCSS('opacity', '1');
});

for (const address of ['/books/meditations?section=2', '/book-detail/meditations?section=2']) {
  test(`at 320 pixels every control of ${address} has its place`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(address);
    await expect(reader(page)).toBeVisible();
    await ready(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    const boxes = await reader(page)
      .locator('button, a, .reader__bar-title')
      .evaluateAll((all) =>
        all
          .map((one) => one.getBoundingClientRect())
          .filter(({ width }) => width > 0)
          .map(({ left, right }) => ({ left, right })),
      );
    expect(boxes.length).toBeGreaterThan(5);
    for (const [i, box] of boxes.entries()) {
      expect(box.right).toBeLessThanOrEqual(320);
      expect(box.left).toBeGreaterThanOrEqual(boxes[i - 1]?.right ?? 0);
    }
  });
}

test('the first screen of a book on a phone has the way to the text', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/books/meditations');
  await expect(reader(page)).toBeVisible();
  const read = page.getByRole('button', { name: 'Read', exact: true });
  await expect(read).toBeInViewport({ ratio: 1 });
  await read.click();
  await expect(title(page)).toBeFocused();
  await expect(title(page)).toBeInViewport();
});

test('the options lead to the key ideas from any section', async ({ page }) => {
  await page.goto('/books/meditations?section=3');
  await reader(page).getByRole('button', { name: 'Options' }).click();
  await page.getByRole('dialog', { name: 'Options' }).getByRole('link', { name: 'See the key ideas' }).click();
  await expect(page).toHaveURL('/visuals/meditations');
});

test('a place that could not be saved shows a notice above the controls, until it is saved', async ({ page, quiet }) => {
  quiet.allow(/ERR_FAILED|Failed to load resource|was not saved/);
  await page.setViewportSize({ width: 390, height: 844 });
  await newMember(page);
  await page.goto('/books/meditations?section=2');
  await expect(reader(page)).toBeVisible();
  // The server can't be reached, though the browser has a network: offline there is no notice of it.
  await page.route('**/api/user-book-history', (route) => route.abort('failed'));
  await reader(page).getByRole('button', { name: 'Next section' }).click();
  const failure = page.getByText('Your place could not be saved. Pith will try again when you are back online.');
  await expect(failure).toBeVisible();
  // Toasts rise to where they stand.
  await expect(async () => {
    const [toast, bar] = [await failure.boundingBox(), await reader(page).boundingBox()];
    expect((toast?.y ?? Infinity) + (toast?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  }).toPass({ timeout: 5_000 });
  await page.unroute('**/api/user-book-history');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.getByText('Your place is saved.')).toBeVisible();
  await expect(failure).toHaveCount(0);
});

test('a book page has a screen of its own under /book-detail', async ({ page }) => {
  await page.goto('/book-detail/meditations');
  await appReady(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Meditations' })).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
  await expect(page.getByRole('contentinfo')).toHaveCount(0);
  await page.getByRole('link', { name: 'Close the book' }).click();
  await expect(page).toHaveURL(/\/books$/);
});

test('type settings are kept by the device, and sepia passes with everything on it', async ({ page }) => {
  await page.goto('/books/meditations');
  await appReady(page);
  await reader(page).getByRole('button', { name: 'Options' }).click();
  const options = page.getByRole('dialog', { name: 'Options' });
  await options.getByText('Sepia').click();
  await options.getByText('More type settings').click();
  await options.getByText('Dyslexic').click();
  await options.getByText('Loose').click();
  await options.getByText('Wide').click();
  await scanEverywhere(page, 'type settings on sepia', [1440, 390, 320]);
  await page.reload();
  await expect(reader(page)).toBeVisible();
  await ready(page);
  const set = await page
    .locator('.reader__text')
    .first()
    .evaluate((text) => {
      const { fontFamily, lineHeight, fontSize } = getComputedStyle(text);
      return {
        face: fontFamily.split(',')[0],
        leading: Math.round((parseFloat(lineHeight) / parseFloat(fontSize)) * 10) / 10,
        paper: getComputedStyle(document.documentElement).getPropertyValue('--paper'),
      };
    });
  expect(set).toEqual({ face: 'OpenDyslexic', leading: 1.9, paper: 'oklch(0.93 0.035 82)' });
  await scanEverywhere(page, 'the reader on sepia', [390]);
});
