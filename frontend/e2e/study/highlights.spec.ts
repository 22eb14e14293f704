// Highlights in the reader: by mouse, by touch and by key; their page, their export, and a week offline on two devices.
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { scanEverywhere } from '../harness/axe';
import { hasten } from '../harness/database';
import { NO_NETWORK, goOffline, goOnline, installed, knowsWhenOffline } from '../harness/offline';
import { PASSWORD, call, logIn, newMember, readForFree, signInAs } from '../harness/people';
import { place, turn } from '../harness/reading';
import { appReady } from '../harness/ready';
import { expect, test } from '../harness/watch';
import { unzip } from '../harness/zip';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Highlight the selected text' });
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Highlight' });
const marks = (page: Page) => page.locator('mark[data-highlight]');
const wordsOf = async (page: Page) => (await marks(page).allInnerTexts()).join('|');

/** Opens a book in which the member may highlight. */
async function open(page: Page, subid = 'walden'): Promise<void> {
  await page.goto(`/books/${subid}`);
  if (subid === 'walden') await readForFree(page);
  await appReady(page);
}

/** The words of a paragraph of the section, from one character to another. */
const words = (page: Page, paragraph: number, from: number, to: number) =>
  page
    .locator('.reader__text p')
    .nth(paragraph)
    .evaluate((element, [start, end]) => element.textContent.slice(start, end), [from, to] as const);

/** Selects words of the section's first paragraph by dragging the mouse over them. */
async function drag(page: Page, from: number, to: number): Promise<string> {
  const paragraph = page.locator('.reader__text p').first();
  await paragraph.scrollIntoViewIfNeeded();
  const [start, end] = await paragraph.evaluate(
    (element, offsets) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      return offsets.map((offset) => {
        walker.currentNode = element;
        let left = offset;
        let node = walker.nextNode() as Text;
        while (left > node.length) {
          left -= node.length;
          node = walker.nextNode() as Text;
        }
        const range = document.createRange();
        range.setStart(node, left);
        const { left: x, top, height } = range.getBoundingClientRect();
        return { x, y: top + height / 2 };
      });
    },
    [from, to],
  );
  if (!start || !end) throw new Error('There is no such text.');
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
  return words(page, 0, from, to);
}

/** Highlights words by the mouse and a key: 1 to 4. Returns them. */
async function highlight(page: Page, from: number, to: number, key: string): Promise<string> {
  const chosen = await drag(page, from, to);
  await expect(bar(page)).toBeVisible();
  await page.keyboard.press(key);
  return chosen.trim();
}

/** Selects words as a long press does, which headless Chromium has not: the selection changes while no finger is down. */
const selectByTouch = (page: Page, paragraph: number, from: number, to: number) =>
  page
    .locator('.reader__text p')
    .nth(paragraph)
    .evaluate(
      (element, [start, end]) => {
        element.scrollIntoView({ block: 'center' });
        const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
        if (text) window.getSelection()?.setBaseAndExtent(text, start, text, end);
      },
      [from, to] as const,
    );

/** What the server has of a member's highlights: their words, and how often each was changed. */
async function stored(page: Page): Promise<string[]> {
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  const answer = await page.request.get('/api/study/changes', { headers: { Authorization: `Bearer ${token}` } });
  const { result } = (await answer.json()) as { result: { highlights: { anchor: { exact: string }; color: { value: string }; note: { value: string } }[] } };
  return result.highlights.map(({ anchor, color, note }) => `${anchor.exact} ${color.value} ${note.value}`.trim()).sort();
}

/** Another device of the member. */
async function otherDevice(browser: Browser, email: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ serviceWorkers: 'allow', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await knowsWhenOffline(page);
  await logIn(page, email, PASSWORD);
  return { context, page };
}

test('by mouse: a passage gets a color, a note and a tag, is there after a reload and on another device, and is found again', async ({ page, browser }) => {
  const email = await newMember(page);
  await open(page);
  const chosen = (await drag(page, 3, 30)).trim();
  await bar(page).getByRole('button', { name: 'Leaf' }).click();
  await expect(marks(page)).toHaveText(chosen);
  await expect(page.getByText('Highlighted.')).toBeVisible();
  await marks(page).click();
  await sheet(page).getByLabel('Note').fill('Where it begins.');
  await sheet(page).getByLabel('Add a tag').fill('#Beginnings');
  await page.keyboard.press('Enter');
  await expect(sheet(page).getByRole('list', { name: 'Tags' })).toHaveText('Beginnings');
  await scanEverywhere(page, 'the sheet of a highlight');
  await page.setViewportSize({ width: 1440, height: 900 });
  await sheet(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('complementary', { name: 'Notes' }).getByRole('button')).toHaveText('Where it begins.');
  await expect.poll(() => stored(page)).toEqual([`${chosen} leaf Where it begins.`]);
  await page.reload();
  await expect(marks(page)).toHaveText(chosen);

  const other = await otherDevice(browser, email);
  await other.page.goto('/highlights');
  await expect(other.page.getByRole('status').filter({ hasText: '1 highlight' })).toBeVisible();
  await expect(other.page.getByText('Where it begins.')).toBeVisible();
  await scanEverywhere(other.page, 'the page of highlights');
  await other.page.setViewportSize({ width: 1440, height: 900 });
  await other.page.getByPlaceholder('Search your highlights').fill('beginnings');
  await expect(other.page).toHaveURL(/q=beginnings/);
  await other.page.getByRole('link', { name: /Key idea 1/ }).click();
  await expect(other.page.locator('mark[data-highlight]:focus')).toHaveText(chosen);
  await other.page.keyboard.press('Enter');
  await expect(sheet(other.page).getByLabel('Note')).toHaveValue('Where it begins.');
  await sheet(other.page).getByRole('button', { name: 'Delete' }).click();
  await expect(marks(other.page)).toHaveCount(0);
  await other.page.getByRole('button', { name: 'Undo' }).click();
  await expect(marks(other.page)).toHaveText(chosen);
  await other.context.close();
});

test('by key alone: sentences are picked, extended and read out, and a highlight is reached through the contents', async ({ page }) => {
  await newMember(page);
  await open(page);
  await page.keyboard.press('h');
  const spoken = page.locator('p.visually-hidden[role="status"]');
  await expect(spoken).not.toBeEmpty();
  const first = await spoken.innerText();
  await page.keyboard.press('ArrowDown');
  await expect(spoken).not.toHaveText(first);
  const second = await spoken.innerText();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(spoken).toContainText(first);
  await expect(spoken).toContainText(second);
  await page.keyboard.press('2');
  await expect(marks(page).first()).toHaveClass(/highlight--leaf/);
  await expect.poll(async () => (await wordsOf(page)).replaceAll('|', '')).toContain(second);
  await turn(page);
  await page.getByRole('button', { name: 'Contents' }).first().click();
  await page.getByRole('region', { name: 'Your highlights' }).getByRole('button').first().press('Enter');
  await expect(place(page)).toHaveText(/^1\//);
  await expect(page.locator('mark[data-highlight]:focus')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(sheet(page)).toBeVisible();
});

test.describe('on a phone', () => {
  test.use(PHONE);

  test('by touch: the bar stands below, a note opens as a sheet, and the colors differ without color', async ({ page }) => {
    await newMember(page);
    await open(page);
    await selectByTouch(page, 0, 3, 30);
    await expect(bar(page)).toBeVisible();
    const box = await bar(page).boundingBox();
    expect(box?.y).toBeGreaterThan(422);
    await bar(page).getByRole('button', { name: 'Rose' }).tap();
    await expect(marks(page)).toHaveText(/\S/);
    await selectByTouch(page, 1, 3, 30);
    await bar(page).getByRole('button', { name: 'Note' }).tap();
    await expect(sheet(page).getByLabel('Note')).toBeFocused();
    await page.keyboard.type('By touch.');
    await scanEverywhere(page, 'the sheet of a highlight on a phone', [390]);
    await sheet(page).getByRole('button', { name: 'Done' }).tap();
    await expect.poll(async () => (await stored(page)).filter((one) => one.endsWith('rose By touch.'))).toHaveLength(1);
    await page.emulateMedia({ forcedColors: 'active' });
    await expect(marks(page).first()).toHaveCSS('text-decoration-style', 'double');
  });
});

test.describe('in the source of an own summary', () => {
  // Motion off: axe measures colors, and what is half faded in has others.
  test.use({ contextOptions: { reducedMotion: 'reduce' } });
  const SOURCE = `Simplicity

Most of the luxuries of life are   hindrances to the elevation of mankind. A man is rich in proportion to the number of things which he can afford to let alone.
Our life is frittered away by detail. 🌲 An honest man has hardly need to count more than his ten fingers, or in extreme cases he may add his ten toes.

Work

The cost of a thing is the amount of life which is required to be exchanged for it. Most men lead lives of quiet desperation. It is never too late to give up our prejudices. I learned this by my experiment: if one advances confidently in the direction of his dreams, he will meet with a success unexpected in common hours.`;

  const drawn = (page: Page) => page.locator('.source-text mark[data-highlight]');
  const drawnWords = async (page: Page) => (await drawn(page).allTextContents()).join('');

  test('by key and by mouse: a passage is found by the server, is opened from /highlights beside the ideas, and on a phone in the panel', async ({ page }) => {
    await signInAs(page, 'paid');
    await page.goto('/ai');
    await page.getByLabel('Text', { exact: true }).fill(SOURCE);
    await page.getByRole('button', { name: 'Summarize' }).click();
    const column = page.getByRole('complementary', { name: 'Source' });
    await expect(column).toBeVisible();
    await appReady(page);
    // By key, where the focus is: the heading, and the two sentences after it.
    await column.focus();
    await page.keyboard.press('h');
    await expect(column.locator('mark.highlight-cursor')).toHaveText('Simplicity');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('3');
    const chosen =
      'Most of the luxuries of life are hindrances to the elevation of mankind. A man is rich in proportion to the number of things which he can afford to let alone.\nOur life is frittered away by detail.';
    await expect.poll(() => drawnWords(page)).toBe(chosen);
    await expect(page.locator('.idea__text mark')).toHaveCount(0);
    await expect.poll(() => stored(page)).toContain(`${chosen} sky`);
    // By mouse.
    await column.getByText('Work', { exact: true }).dblclick({ position: { x: 8, y: 12 } });
    await bar(page).getByRole('button', { name: 'Leaf' }).click();
    await expect(page.locator('.source-text mark.highlight--leaf')).toHaveText('Work');
    await scanEverywhere(page, 'a source with highlights', [1440]);
    await expect.poll(() => stored(page)).toContain('Work leaf');

    await page.goto('/highlights?q=work');
    await page.getByRole('link', { name: 'Source' }).click();
    await expect(column.locator('mark[data-highlight]:focus')).toHaveText('Work');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/highlights?q=luxuries');
    await page.getByRole('link', { name: 'Source' }).click();
    const panel = page.getByRole('dialog', { name: 'From the source' });
    await expect(panel.locator('mark[data-highlight]:focus')).toBeInViewport();
    expect(await drawnWords(page)).toBe(`${chosen}Work`);
    await page.keyboard.press('Enter');
    await expect(sheet(page).getByRole('radio', { name: 'Sky' })).toBeChecked();
    await sheet(page).getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => drawnWords(page)).toBe('Work');
    await expect(panel.locator('.source-text__place')).toBeFocused();
    await scanEverywhere(page, 'the panel of a source with highlights', [390]);
  });
});

test('highlights that are switched off are neither shown nor offered, and stay', async ({ page }) => {
  await newMember(page);
  await open(page);
  await highlight(page, 3, 30, '1');
  await expect(marks(page)).toHaveCount(1);
  await expect.poll(async () => (await stored(page)).length).toBe(1);
  await page.goto('/study-settings');
  const shown = page.getByRole('checkbox', { name: 'Highlights in the text' });
  await shown.click();
  await expect(shown).not.toBeChecked();
  await scanEverywhere(page, 'the settings of highlights');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/books/walden');
  await appReady(page);
  await drag(page, 40, 60);
  await expect(bar(page)).toHaveCount(0);
  await expect(marks(page)).toHaveCount(0);
  await page.goto('/highlights');
  await expect(page.getByRole('status').filter({ hasText: '1 highlight' })).toBeVisible();
});

test('as a picture: from the sheet and from the list, by key alone; the focus returns, and offline it says what it needs', async ({ page, context, quiet }) => {
  quiet.allow(NO_NETWORK);
  await newMember(page);
  await open(page);
  const chosen = await highlight(page, 3, 30, '1');
  await marks(page).click();
  const button = sheet(page).getByRole('button', { name: 'Share as a picture' });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Share as a picture' });
  const picture = dialog.getByRole('img', { name: `“${chosen}” From Walden by Henry David Thoreau.` });
  await expect(picture).toBeVisible();
  // Drawn, and in the shape that its skeleton had.
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth / image.naturalHeight)).toBeCloseTo(0.8);
  await scanEverywhere(page, 'a highlight as a picture');
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(dialog.getByRole('button', { name: /^(?:Share|Download)$/ }).first()).toBeFocused();
  const waiting = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).press('Enter');
  expect((await waiting).suggestedFilename()).toBe('highlight-walden.png');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeFocused();
  await expect(sheet(page)).toBeVisible();

  await page.goto('/highlights');
  const share = page.getByRole('button', { name: `Share “${chosen}” as a picture` });
  await share.press('Enter');
  await expect(picture).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(share).toBeFocused();
  await context.setOffline(true);
  await share.press('Enter');
  await expect(dialog).toContainText('A picture needs a connection');
  await context.setOffline(false);
  await expect(picture).toBeVisible();
});

test('exports: the files have what was highlighted', async ({ page }) => {
  await newMember(page);
  await open(page);
  const chosen = await highlight(page, 3, 30, '3');
  await expect.poll(async () => (await stored(page)).length).toBe(1);
  await page.goto('/study-settings#export');
  const download = async (format: string) => {
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: `Download your highlights as ${format}` }).click();
    const file = await waiting;
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    return { name: file.suggestedFilename(), bytes: Buffer.concat(chunks) };
  };
  const markdown = await download('Markdown');
  expect(markdown.name).toMatch(/^highlights-\d{4}-\d{2}-\d{2}\.zip$/);
  const [[name, text] = ['', '']] = [...unzip(markdown.bytes)];
  expect(name).toMatch(/^Walden.*\.md$/);
  expect(text).toContain(`> ${chosen}`);
  const csv = (await download('CSV')).bytes.toString('utf8');
  expect(csv).toContain('Highlight,Title,Author,URL,Note,Location,Date');
  expect(csv).toContain('Walden,Henry David Thoreau');
  const page1 = JSON.parse((await download('JSON')).bytes.toString('utf8')) as { items: { target: { selector: { exact: string }[] } }[] };
  expect(page1.items.map(({ target }) => target.selector[0]?.exact)).toEqual([chosen]);
});

test.describe('offline', () => {
  test.use({ serviceWorkers: 'allow', contextOptions: { reducedMotion: 'reduce' } });
  test.beforeEach(({ page }) => knowsWhenOffline(page));

  for (const order of ['the one that changed first', 'the one that changed last'] as const) {
    test(`a week on two devices: both end with the same, ${order} comes online first, and each change is sent once`, async ({
      page,
      context,
      browser,
      quiet,
    }) => {
      quiet.allow(NO_NETWORK);
      const email = await newMember(page);
      await page.goto('/home');
      await installed(page);
      await open(page);
      await highlight(page, 3, 30, '1');
      await expect.poll(async () => (await stored(page)).length).toBe(1);
      const other = await otherDevice(browser, email);
      await other.page.goto('/home');
      await installed(other.page);
      await other.page.goto('/books/walden');
      await expect(marks(other.page)).toHaveCount(1);
      const sent: string[] = [];
      for (const device of [page, other.page]) {
        device.on('response', (response) => {
          if (response.request().method() === 'PUT' && response.url().includes('/api/study/highlights/')) sent.push(response.url());
        });
      }

      await goOffline(context, page);
      await goOffline(other.context, other.page);
      // Both change the color of the same highlight, and each adds one of its own.
      await marks(page).click();
      await sheet(page).getByRole('radio', { name: 'Sky' }).check();
      await page.keyboard.press('Escape');
      await highlight(page, 40, 60, '2');
      await expect(marks(page)).toHaveCount(2);
      await marks(other.page).click();
      await sheet(other.page).getByRole('radio', { name: 'Rose' }).check();
      await sheet(other.page).getByLabel('Note').fill('Later.');
      await sheet(other.page).getByRole('button', { name: 'Done' }).click();
      await other.page.keyboard.press('ArrowRight');
      await expect(place(other.page)).toHaveText(/^2\//);
      await selectByTouch(other.page, 0, 3, 30);
      await expect(bar(other.page)).toBeVisible();
      await other.page.keyboard.press('4');
      await expect(marks(other.page)).toHaveCount(1);
      expect(sent).toEqual([]);
      // What is on the device is there after a restart.
      await page.reload();
      await expect(marks(page)).toHaveCount(2);

      const devices = [
        { context, page },
        { context: other.context, page: other.page },
      ];
      if (order === 'the one that changed last') devices.reverse();
      for (const device of devices) await goOnline(device.context, device.page);
      await expect.poll(async () => (await stored(page)).length).toBe(3);
      await expect.poll(async () => (await stored(page)).some((one) => one.endsWith('rose Later.'))).toBe(true);
      const all = await stored(page);
      for (const device of devices) {
        await device.page.goto('/highlights');
        await expect(device.page.getByRole('status').filter({ hasText: '3 highlights' })).toBeVisible();
        await expect(device.page.getByText('Later.')).toBeVisible();
        for (const one of all) await expect(device.page.getByText(one.replace(/ (?:honey|leaf|sky|rose)(?: Later\.)?$/, ''), { exact: true })).toBeVisible();
      }
      // One change of the known highlight on each device, and one highlight of each.
      expect(sent.length).toBe(4);
      await other.context.close();
    });
  }

  test('a logout asks before it removes what was not sent, and removes everything', async ({ page, context, quiet }) => {
    quiet.allow(NO_NETWORK);
    await newMember(page);
    await page.goto('/home');
    await installed(page);
    await open(page);
    await goOffline(context, page);
    await highlight(page, 3, 30, '1');
    await expect(marks(page)).toHaveCount(1);
    // It is shown before it is stored.
    await page.waitForFunction(() => localStorage.getItem('study-unsent') === '1');
    await page.goto('/logout');
    await expect(page.getByText(/^1 change that you made offline has not reached/)).toBeVisible();
    await page.getByRole('button', { name: 'Log out anyway' }).click();
    await expect(page).not.toHaveURL(/logout/);
    const left = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open('pith-study');
          opening.onsuccess = () => {
            const counting = opening.result.transaction('highlights').objectStore('highlights').count();
            counting.onsuccess = () => {
              opening.result.close();
              resolve(counting.result);
            };
          };
        }),
    );
    expect(left).toBe(0);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /highlight|study/i.test(key)))).toEqual([]);
  });
});

test('an editor edits a text: the highlight moves along, says that its words were edited, and is kept when they are gone', async ({ page, browser }) => {
  const title = `The quiet hour ${Math.random().toString(36).slice(2, 8)}`;
  const editor = await (await browser.newContext()).newPage();
  await signInAs(editor, 'editor');
  const token = await editor.evaluate(() => localStorage.getItem('token') ?? '');
  const { categories } = await call<{ categories: { id: number }[] }>(editor.request, 'GET', '/api/categories');
  const { book } = await call<{ book: { id: number; subid: string } }>(
    editor.request,
    'POST',
    '/api/admin/books',
    {
      ...{ title, author: 'Ada Writer', categories: [categories[0]?.id], free: true, published: true },
      body: '<h3>An hour</h3><p>An hour is enough to begin with. Keep one quiet hour of every day for yourself alone. Nobody will give it to you, and nobody takes it.</p><h3>A walk</h3><p>Walk it.</p>',
    },
    token,
  );
  await newMember(page);
  await page.goto(`/books/${book.subid}`);
  await appReady(page);
  const words = await highlight(page, 33, 85, '1');
  expect(words).toBe('Keep one quiet hour of every day for yourself alone.');
  await expect(marks(page)).toHaveText(words);
  await expect.poll(async () => (await stored(page)).length).toBe(1);

  /** Edits the paragraph with these words, and has the highlights looked for. */
  const edit = async (change: () => Promise<void>) => {
    await editor.goto(`/admin/book-edit/${book.id}`);
    await editor.getByRole('textbox', { name: 'Body' }).click();
    // The line below the first heading.
    for (const key of ['ControlOrMeta+Home', 'ArrowDown', 'Home']) await editor.keyboard.press(key);
    await change();
    await editor.getByRole('button', { name: 'Update book' }).click();
    await expect(editor.getByText('Book was updated.')).toBeVisible();
    await hasten('find_highlights');
  };
  /** The reader opened again, until the server has found the highlight. */
  const read = (looked: () => Promise<void>) =>
    expect(async () => {
      await page.goto(`/books/${book.subid}`);
      await appReady(page);
      await looked();
    }).toPass({ timeout: 90_000 });

  await edit(async () => {
    await editor.keyboard.type('This comes first. ');
  });
  await read(async () => {
    await expect(page.locator('.reader__text')).toContainText('This comes first. An hour is enough');
    await expect(marks(page)).toHaveText(words, { timeout: 2_000 });
    await expect(marks(page)).not.toHaveClass(/highlight--changed/, { timeout: 500 });
  });

  await edit(async () => {
    for (let letters = 0; letters < 'This comes first. An hour is enough to begin with. Keep one '.length; letters += 1)
      await editor.keyboard.press('ArrowRight');
    await editor.keyboard.type('very ');
  });
  await read(async () => {
    await expect(marks(page)).toHaveText('Keep one very quiet hour of every day for yourself alone.', { timeout: 2_000 });
    await expect(marks(page)).toHaveClass(/highlight--changed/, { timeout: 500 });
  });

  await edit(async () => {
    await editor.getByRole('textbox', { name: 'Body' }).locator('p').first().click({ clickCount: 3 });
    await editor.keyboard.type('Something else stands here now.');
  });
  await read(async () => {
    await expect(page.locator('.reader__text')).toContainText('Something else stands here now.');
    await expect(marks(page)).toHaveCount(0, { timeout: 2_000 });
  });
  await page.goto('/highlights');
  await expect(page.getByText(words)).toBeVisible();
  await editor.context().close();
});
