// Listening, on the real server, with recordings of silence (support/recordings.mjs).
import type { Page } from '@playwright/test';
import { ready, scanEverywhere } from '../harness/axe';
import { logIn, newMember, PASSWORD } from '../harness/people';
import { expect, test } from '../harness/watch';

const bar = (page: Page) => page.getByRole('region', { name: 'Audio player' });
const reader = (page: Page) => page.getByRole('group', { name: 'Reader menu' });
const spoken = (page: Page) => page.locator('.reader__spoken');
const panel = (page: Page) => page.getByRole('dialog', { name: 'Listening' });
/** Seconds at which the recording is. */
const at = (page: Page) =>
  page
    .locator('audio')
    .last()
    .evaluate((audio: HTMLAudioElement) => audio.currentTime);
const plays = (page: Page) =>
  page
    .locator('audio')
    .last()
    .evaluate((audio: HTMLAudioElement) => !audio.paused);
/** It goes on from about there: a slow machine looks late. */
async function goesOnFrom(page: Page, moment: number): Promise<void> {
  await expect.poll(() => at(page)).toBeGreaterThan(moment - 6);
  expect(await at(page)).toBeLessThan(moment + 25);
}
/** 15 seconds on, and back, while it plays. */
async function jumps(page: Page, forward: () => Promise<void>, back: () => Promise<void>): Promise<void> {
  const before = await at(page);
  await forward();
  await expect.poll(() => at(page)).toBeGreaterThan(before + 14);
  const there = await at(page);
  await back();
  await expect.poll(() => at(page)).toBeLessThan(there);
}
/** What the player says from here on: of two sentences that follow each other at once the screen shows the last only. */
async function hear(page: Page): Promise<() => Promise<string[]>> {
  const said = await bar(page)
    .getByRole('status')
    .evaluateHandle((status) => {
      const all: string[] = [];
      new MutationObserver(() => all.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
      return all;
    });
  return () => said.jsonValue();
}
/** The voice takes eight times as long from the next page on: what it speaks is looked at while it is spoken, on a busy machine too. */
const slowly = (page: Page) =>
  page.addInitScript(() => {
    for (const name of ['playbackRate', 'defaultPlaybackRate']) {
      const own = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, name);
      Object.defineProperty(HTMLMediaElement.prototype, name, {
        get(this: HTMLMediaElement) {
          return (own?.get?.call(this) as number) * 8;
        },
        set(this: HTMLMediaElement, rate: number) {
          own?.set?.call(this, rate / 8);
        },
      });
    }
  });
/** Puts the recording to a moment as the line does. */
const seek = (page: Page, to: number) =>
  page
    .locator('audio')
    .last()
    .evaluate((audio: HTMLAudioElement, to) => (audio.currentTime = to), to);

/** Where the server has the member's recording of Meditations, in seconds; -1 before it was first heard. */
async function savedAt(page: Page): Promise<number> {
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  const answer = await page.request.get('/api/user-book-history/meditations', { headers: { Authorization: `Bearer ${token}` } });
  if (!answer.ok()) return -1;
  const { result } = (await answer.json()) as { result: { place: { audio?: number | null } | null } };
  return result.place?.audio === null || result.place?.audio === undefined ? -1 : result.place.audio / 1000;
}

/** The player rests, and the server has where. */
async function expectSavedWhereItRests(page: Page): Promise<void> {
  await expect(bar(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expect.poll(async () => Math.abs((await savedAt(page)) - (await at(page)))).toBeLessThan(1.5);
}

async function listenTo(page: Page, address = '/books/meditations'): Promise<void> {
  await page.goto(address);
  await expect(reader(page)).toBeVisible();
  await reader(page).getByRole('button', { name: 'Listen', exact: true }).click();
  await expect(bar(page).getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await expect.poll(() => at(page)).toBeGreaterThan(0.3);
}

test('a visitor listens to a free book: speed, jumps, the line, mute, and the end', async ({ page }) => {
  await listenTo(page);
  // The first press on the title page does the same.
  await expect(page.locator('.book-intro').getByRole('button', { name: 'Pause', exact: true })).toBeVisible();

  for (const speed of ['1.25', '1.5', '1.75', '2', '0.5', '0.75', '1']) {
    await bar(page)
      .getByRole('button', { name: /^Speed/ })
      .click();
    await expect(bar(page).getByRole('button', { name: `Speed ${speed}×` })).toBeVisible();
  }
  await bar(page)
    .getByRole('button', { name: /^Speed/ })
    .click();

  await jumps(
    page,
    () => bar(page).getByRole('button', { name: 'Forward 15 seconds' }).click(),
    () => bar(page).getByRole('button', { name: 'Back 15 seconds' }).click(),
  );

  const line = bar(page).getByRole('slider', { name: 'Position' });
  const box = await line.boundingBox();
  if (!box) throw new Error('The line is on the page.');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const length = await page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.duration);
  await goesOnFrom(page, length / 2);

  await page.getByRole('button', { name: 'Mute' }).click();
  await expect(page.locator('audio')).toHaveJSProperty('muted', true);

  await seek(page, length - 1);
  await expect(bar(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expect.poll(() => at(page)).toBe(0);
  await expect(bar(page).getByRole('status')).toHaveText('The recording has ended');

  // The speed is remembered.
  await page.reload();
  await bar(page).getByRole('button', { name: 'Close the player' }).click();
  await expect(bar(page)).toHaveCount(0);
  await listenTo(page);
  await expect(bar(page).getByRole('button', { name: 'Speed 1.25×' })).toBeVisible();
});

test('the text follows the voice, until the reader goes elsewhere, and again when asked', async ({ page }) => {
  await slowly(page);
  await listenTo(page, '/books/meditations?section=1');
  await expect(spoken(page)).toHaveText(await page.locator('.reader__title').innerText());
  const paragraphs = page.locator('.reader__text > p');

  // A press on a paragraph plays from there; the keyboard goes from one to the next.
  await paragraphs.nth(1).click();
  await expect(paragraphs.nth(1)).toHaveClass(/reader__spoken/);
  await expect(spoken(page)).toHaveCount(1);
  await page.keyboard.press('Shift+J');
  await expect(paragraphs.nth(0)).toHaveClass(/reader__spoken/);

  // The voice turns the page and leaves the focus where it is.
  const sections = page.locator('.reader__place');
  await bar(page)
    .getByRole('button', { name: /^Open the player/ })
    .click();
  await panel(page).getByRole('button', { name: 'Next section' }).click();
  await panel(page).getByRole('button', { name: 'Close' }).click();
  await expect(sections).toHaveText(/^2\//);
  await expect(spoken(page)).toHaveText(await page.locator('.reader__title').innerText());
  await expect(page.locator('.reader__title')).not.toBeFocused();

  // Who turns by hand is not taken back.
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(sections).toHaveText(/^3\//);
  await expect(spoken(page)).toHaveCount(0);
  const follow = page.getByRole('button', { name: 'Follow along' });
  await expect(follow).toBeVisible();
  await follow.click();
  await expect(sections).toHaveText(/^2\//);
  await expect(follow).toHaveCount(0);

  // Who scrolls by hand is left alone too.
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, 600);
  await expect(follow).toBeVisible();

  // And it can be turned off.
  await bar(page)
    .getByRole('button', { name: /^Open the player/ })
    .click();
  await panel(page).getByRole('checkbox', { name: 'Follow along in the text' }).uncheck();
  await panel(page).getByRole('button', { name: 'Close' }).click();
  await expect(follow).toHaveCount(0);
  await expect(spoken(page)).toHaveCount(0);
});

test('the player stays while one browses, and the system shows it', async ({ page }) => {
  await listenTo(page);
  const seen = await at(page);
  await page.getByRole('link', { name: 'Book Summaries' }).first().click();
  await expect(page).toHaveURL(/\/books$/);
  await expect(bar(page)).toBeVisible();
  await expect.poll(() => plays(page)).toBe(true);
  await expect.poll(() => at(page)).toBeGreaterThan(seen);
  const shown = await page.evaluate(() => ({
    title: navigator.mediaSession.metadata?.title,
    album: navigator.mediaSession.metadata?.album,
    artist: navigator.mediaSession.metadata?.artist,
    pictures: navigator.mediaSession.metadata?.artwork.length,
    state: navigator.mediaSession.playbackState,
  }));
  expect(shown).toMatchObject({ album: 'Meditations', artist: 'Marcus Aurelius', state: 'playing', pictures: 1 });
  expect(shown.title).not.toBe('Meditations');

  // The end of the page is not under the player.
  const gap = async () => {
    // The list of books may still grow.
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const [footer, top] = await Promise.all([page.locator('.footer__copyright').boundingBox(), bar(page).boundingBox()]);
    return footer && top ? top.y - footer.y - footer.height : -1;
  };
  await expect.poll(gap).toBeGreaterThanOrEqual(0);

  // After a reload it is at hand, silent, where it was.
  await page.reload();
  await expect(bar(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expect.poll(() => plays(page)).toBe(false);
  await bar(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => at(page)).toBeGreaterThan(seen);
  await bar(page)
    .getByRole('button', { name: /^Open the player/ })
    .click();
  await panel(page).getByRole('link', { name: 'Meditations' }).click();
  await expect(page).toHaveURL(/\/books\/meditations$/);
  await expect(panel(page)).toHaveCount(0);
});

test('nothing moves when the player comes', async ({ page }) => {
  await page.goto('/books/meditations');
  await expect(reader(page)).toBeVisible();
  await ready(page);
  await page.evaluate(() => {
    const seen = window as unknown as { shifted: number };
    seen.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shifted += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift' });
  });
  await page.locator('.book-intro').getByRole('button', { name: 'Listen' }).click({ force: true });
  await expect(bar(page)).toBeVisible();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await page.evaluate(() => (window as unknown as { shifted: number }).shifted)).toBeLessThan(0.005);
});

test('the keyboard reaches everything, and keys work wherever one is, but not while typing', async ({ page }) => {
  await page.goto('/books/meditations');
  await expect(reader(page)).toBeVisible();
  await reader(page).getByRole('button', { name: 'Listen', exact: true }).focus();
  await page.keyboard.press('Enter');
  const pause = bar(page).getByRole('button', { name: 'Pause', exact: true });
  await expect(pause).toBeVisible();
  await expect(reader(page).getByRole('button', { name: 'Pause', exact: true })).toBeFocused();
  await expect.poll(() => at(page)).toBeGreaterThan(0.1);

  await page.keyboard.press('k');
  await expect(bar(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expect(bar(page).getByRole('status')).toHaveText('Paused');
  await page.keyboard.press('k');
  await expect(pause).toBeVisible();
  await jumps(
    page,
    () => page.keyboard.press('l'),
    () => page.keyboard.press('j'),
  );
  const said = await hear(page);
  await page.keyboard.press('m');
  // After a jump the recording may still wait for its data: 'Playing' follows then.
  await expect.poll(said).toContain('Muted');

  // Through the bar by Tab, in the order in which it is seen.
  await bar(page)
    .getByRole('button', { name: /^Open the player/ })
    .focus();
  const walked: string[] = [];
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press('Tab');
    walked.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''));
  }
  expect(walked).toEqual(['Back 15 seconds', 'Pause', 'Forward 15 seconds', 'Position', 'Speed 1×', 'Sleep timer', 'Mute', 'Close the player']);
  // The slider, while nothing plays: a recording that goes on is elsewhere when a slow machine looks.
  await page.keyboard.press('k');
  await expect.poll(() => plays(page)).toBe(false);
  await bar(page).getByRole('slider', { name: 'Position' }).focus();
  await page.keyboard.press('Home');
  await expect.poll(() => at(page)).toBe(0);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => at(page)).toBe(5);
  await expect(page.locator('.reader__place').first()).toHaveText(/^1\//);
  await page.keyboard.press('k');
  await expect.poll(() => plays(page)).toBe(true);

  // The panel, its sheet, and back: the focus returns to what opened it.
  await bar(page)
    .getByRole('button', { name: /^Open the player/ })
    .focus();
  await page.keyboard.press('Enter');
  await expect(panel(page)).toBeVisible();
  await page.keyboard.press('k');
  await expect(panel(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await panel(page).getByRole('button', { name: 'Sleep timer' }).press('Enter');
  await page.getByRole('dialog', { name: 'Sleep timer' }).getByRole('button', { name: '15 minutes' }).press('Enter');
  const timer = panel(page).getByRole('button', { name: /^Sleep timer: 15:00 left/ });
  await expect(timer).toBeFocused();
  // Escape closes the sheet alone.
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Sleep timer' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Sleep timer' })).toHaveCount(0);
  await expect(panel(page)).toBeVisible();
  await expect(timer).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  await expect(bar(page).getByRole('button', { name: /^Open the player/ })).toBeFocused();

  // Closed, it leaves the focus where listening begins; on a page without that, at the heading.
  await bar(page).getByRole('button', { name: 'Close the player' }).press('Enter');
  await expect(bar(page)).toHaveCount(0);
  await expect(reader(page).getByRole('button', { name: 'Listen', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(bar(page).getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  // What never played is not taken along to the next page.
  await expect.poll(() => plays(page)).toBe(true);
  await page.keyboard.press('Enter');
  await expect(bar(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();

  await page.goto('/books');
  await ready(page);
  await expect(bar(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  const search = page.getByRole('searchbox').or(page.getByRole('combobox')).first();
  await search.fill('');
  await search.pressSequentially('milk jam');
  await expect(search).toHaveValue('milk jam');
  await expect(bar(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
});

test('the sleep timer fades the voice out at the end of a section', async ({ page }) => {
  await listenTo(page, '/books/meditations?section=1');
  await bar(page).getByRole('button', { name: 'Sleep timer' }).click();
  await page.getByRole('dialog', { name: 'Sleep timer' }).getByRole('button', { name: 'End of this section' }).click();
  const chapters = await page.evaluate(
    async () => ((await (await fetch('/api/books/meditations/audio')).json()) as { result: { chapters: { at: number }[] } }).result.chapters,
  );
  const end = chapters[1]?.at ?? 0;
  // Inside the section: to leave it would take the timer along.
  await bar(page).getByRole('slider', { name: 'Position' }).focus();
  while ((await at(page)) < end - 10) await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.volume)).toBeLessThan(0.6);
  await expect(bar(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible({ timeout: 40_000 });
  expect(Math.abs((await at(page)) - end)).toBeLessThan(1);
  await expect(page.locator('audio')).toHaveJSProperty('volume', 1);
});

test('a member goes on listening on another device', async ({ page, browser, baseURL }) => {
  const email = await newMember(page);
  await listenTo(page);
  // The first play saves, and so does each jump.
  await expect.poll(() => savedAt(page)).toBeGreaterThanOrEqual(0);
  for (let i = 0; i < 3; i++) await page.keyboard.press('l');
  await expect.poll(() => savedAt(page)).toBeGreaterThan(45);
  await page.keyboard.press('k');
  await expectSavedWhereItRests(page);
  const left = await at(page);

  const other = await browser.newContext({ ...(baseURL && { baseURL }), viewport: { width: 390, height: 844 } });
  const phone = await other.newPage();
  await logIn(phone, email, PASSWORD);
  await phone.goto('/books/meditations');
  await expect(reader(phone)).toBeVisible();
  await reader(phone).getByRole('button', { name: 'Listen', exact: true }).click();
  await expect(bar(phone).getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await goesOnFrom(phone, left);

  // The reader's own controls stand on the player, not under it.
  // They come with a turn upwards, and slide.
  await expect(async () => {
    await phone.mouse.wheel(0, -200);
    const [controls, player] = await Promise.all([reader(phone).boundingBox(), bar(phone).boundingBox()]);
    expect((controls?.y ?? 0) + (controls?.height ?? 0)).toBeLessThanOrEqual((player?.y ?? 0) + 2);
  }).toPass({ timeout: 40_000 });

  // And back. The player of the first device rests: turning to another tab saves no moment of it, for the phone is further on.
  for (let i = 0; i < 4; i++) await phone.keyboard.press('l');
  await expect.poll(() => savedAt(phone)).toBeGreaterThan(left + 55);
  const said: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/user-book-history') && request.method() === 'PUT') said.push(request.postDataJSON());
  });
  await phone.keyboard.press('k');
  await expectSavedWhereItRests(phone);
  const further = await at(phone);
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    Reflect.deleteProperty(document, 'visibilityState');
  });
  await page.getByRole('link', { name: 'Book Summaries' }).first().click();
  await expect(page).toHaveURL(/\/books$/);
  await page.goBack();
  await expect(reader(page)).toBeVisible();
  // The reader itself may still save the paragraph to which the voice had taken the text.
  expect(said).not.toContainEqual(expect.objectContaining({ audio: expect.anything() }));
  await reader(page).getByRole('button', { name: 'Listen', exact: true }).click();
  await goesOnFrom(page, further);
  await other.close();
});

test('what is heard without a connection arrives later, from another page', async ({ page, quiet }) => {
  quiet.allow(/was not saved|ERR_INTERNET_DISCONNECTED/);
  await newMember(page);
  await listenTo(page);
  await expect.poll(() => savedAt(page)).toBeGreaterThanOrEqual(0);
  await page.keyboard.press('k');
  await expect(bar(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await page.route('**/api/user-book-history', (route) => (route.request().method() === 'PUT' ? route.abort('internetdisconnected') : route.continue()));
  const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'PUT' && request.url().endsWith('/api/user-book-history'));
  await page.keyboard.press('l');
  await failed;
  await page.unroute('**/api/user-book-history');
  await page.goto('/home');
  await expect.poll(() => savedAt(page)).toBeGreaterThan(14);
});

test('listening to the end completes the book, and the page that is open says so', async ({ page }) => {
  await newMember(page);
  await listenTo(page);
  await expect.poll(() => savedAt(page)).toBeGreaterThanOrEqual(0);
  await page.goto('/my-progress');
  const completed = page.getByRole('heading', { name: 'Books completed', exact: true }).locator('..');
  await expect(completed).toContainText('0');
  // The player is at hand after the reload, and goes on when asked.
  await bar(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => plays(page)).toBe(true);
  await seek(page, 1e6);
  await expect(completed).toContainText('1');
});

test('an address that has ended is renewed, and the voice goes on where it was', async ({ page, quiet }) => {
  quiet.allow(/status of 403/);
  let asked = 0;
  await page.route('**/api/books/meditations/audio', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { result: { url: string; until: number } };
    asked += 1;
    if (asked === 1) body.result.url = body.result.url.replace(/signature=[^&]*/, 'signature=spoiled');
    // The second one ends at once: it is changed while it plays.
    if (asked === 2) body.result.until = Date.now() + 60_000;
    await route.fulfill({ response: answer, json: body });
  });
  await listenTo(page);
  await expect.poll(() => asked).toBe(3);
  await expect.poll(async () => [await page.locator('audio').count(), await plays(page)]).toEqual([1, true]);
  const now = await at(page);
  await expect.poll(() => at(page)).toBeGreaterThan(now + 0.5);
  await expect(bar(page).getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
});

test('a viewer who may not hear a book sees no player; a recording that failed can be tried again', async ({ page, quiet }) => {
  await page.goto('/books/walden');
  await expect(page.getByRole('heading', { name: 'Log in to keep reading' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Listen' })).toHaveCount(0);
  quiet.allow(/status of (401|500)/);
  let fails = true;
  await page.route('**/api/books/meditations/audio', (route) =>
    fails ? route.fulfill({ status: 500, json: { status: 'error', error: 'Broken.', code: 'internal' } }) : route.continue(),
  );
  await page.goto('/books/meditations');
  await expect(reader(page)).toBeVisible();
  await reader(page).getByRole('button', { name: 'Listen', exact: true }).click();
  await expect(bar(page).getByText('The audio could not be played.').first()).toBeVisible();
  fails = false;
  await bar(page).getByRole('button', { name: 'Try again' }).click();
  await expect(bar(page).getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
});

test('one tab is heard at a time', async ({ page, context }) => {
  await listenTo(page);
  const other = await context.newPage();
  await listenTo(other);
  await expect(bar(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expect.poll(() => plays(page)).toBe(false);
  await expect.poll(() => plays(other)).toBe(true);
});

test('a logout stops the recording', async ({ page }) => {
  await logIn(page, 'paid@example.com');
  await listenTo(page, '/books/walden');
  await page.getByRole('link', { name: 'Book Summaries' }).first().click();
  await expect(bar(page)).toBeVisible();
  await page.evaluate(() => {
    window.history.pushState(null, '', '/logout');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await expect(bar(page)).toHaveCount(0);
});

test.describe('with motion off, for axe measures colours', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('axe finds nothing in the player', async ({ page }) => {
    await listenTo(page, '/books/meditations?section=2');
    await scanEverywhere(page, 'the bar, and text that is spoken');
    await bar(page)
      .getByRole('button', { name: /^Open the player/ })
      .click();
    await scanEverywhere(page, 'the panel');
    await panel(page).getByRole('button', { name: 'Sleep timer' }).click();
    await scanEverywhere(page, 'the sleep timer');
  });
});

test('what was just heard is kept as a highlight, by the button and by key, and is in the text', async ({ page }) => {
  await newMember(page);
  await listenTo(page);
  const kept = page.waitForResponse((response) => response.request().method() === 'PUT' && response.url().includes('/api/study/highlights/'));
  await bar(page).getByRole('button', { name: 'Highlight what you just heard' }).click();
  const { result } = (await (await kept).json()) as { result: { highlight: { anchor: { exact: string } } } };
  await expect(page.getByText('Kept. It will be in your highlights.')).toBeVisible();
  const words = result.highlight.anchor.exact;
  expect(words.length).toBeGreaterThan(10);
  await expect.poll(async () => (await page.locator('mark[data-highlight]').allInnerTexts()).join('')).toContain(words);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('mark[data-highlight]')).toHaveCount(0);
  await page.keyboard.press('b');
  await expect(page.locator('mark[data-highlight]').first()).toBeVisible();
});
