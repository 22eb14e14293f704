// Lists of books: made, filled and put in order by key, by mouse and by touch; shared, followed and taken down; given to a team; and
// offline on two devices.
import type { Browser, Page } from '@playwright/test';
import { scanEverywhere } from '../harness/axe';
import { NO_NETWORK, goOffline, goOnline, installed, knowsWhenOffline } from '../harness/offline';
import { PASSWORD, buy, call, logIn, newMember, signInAs } from '../harness/people';
import { appReady } from '../harness/ready';
import { expect, test } from '../harness/watch';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESKTOP = { width: 1440, height: 900 };

const books = (page: Page) => page.getByRole('list', { name: 'Summaries in their order' });
/** The titles of an own list, as the page shows them. */
const titles = (page: Page) => books(page).locator('.own-book__title').allTextContents();
const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('token') ?? '');

interface StoredList {
  name: { value: string };
  books: { subid: string; rank: string | null }[];
}

/** What the server has of a member's lists: 'Name: first, second' by the books' slugs in their order. */
async function stored(page: Page): Promise<string[]> {
  const { lists } = await call<{ lists: StoredList[] }>(page.request, 'GET', '/api/study/changes', undefined, await tokenOf(page));
  const byRank = (one: { rank: string | null }, other: { rank: string | null }) => ((one.rank ?? '') < (other.rank ?? '') ? -1 : 1);
  const of = ({ name, books: all }: StoredList) => {
    const shown = all.filter(({ rank }) => rank !== null).sort(byRank);
    return `${name.value}: ${shown.map(({ subid }) => subid).join(', ')}`;
  };
  return lists.map(of).sort();
}

/** Makes a list with these books, by the server, and opens it. */
async function openList(page: Page, name: string, subids: readonly string[]): Promise<void> {
  const token = await tokenOf(page);
  const at = Date.now();
  const found = await Promise.all(subids.map((subid) => call<{ book: { id: number } }>(page.request, 'GET', `/api/books/${subid}`, undefined, token)));
  const id = Math.floor(Math.random() * 1_000_000) + 1;
  await call(
    page.request,
    'PUT',
    `/api/study/lists/${id}`,
    { name: { value: name, at }, books: found.map(({ book }, index) => ({ bookId: book.id, rank: `a${index}`, at })), createdAt: at },
    token,
  );
  await page.goto(`/lists/${id}`);
  await appReady(page);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

/** Another member's browser. */
async function otherMember(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await newMember(page);
  return page;
}

test('by key: a list is made, filled from a search and from a book, put in order, and deleted and brought back', async ({ page }) => {
  await newMember(page);
  await page.goto('/lists');
  await expect(page.getByRole('heading', { name: 'No lists yet' })).toBeVisible();
  await scanEverywhere(page, 'lists without any');
  await page.setViewportSize(DESKTOP);
  await page.getByRole('button', { name: 'New list' }).press('Enter');
  await page.getByLabel('Name').fill('How to live');
  await page.getByLabel('Note').fill('In this order.');
  await page.getByLabel('Name').press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'How to live' })).toBeVisible();
  await expect(page).toHaveURL(/\/lists\/\d+$/);

  await page.getByRole('button', { name: 'Add a book' }).first().press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add a book' });
  await dialog.getByRole('searchbox', { name: 'Search summaries' }).fill('Walden');
  await dialog.getByRole('button', { name: 'Add Walden' }).press('Enter');
  await expect(dialog.getByText('On the list')).toBeVisible();
  await scanEverywhere(page, 'the search for a book of a list');
  await page.setViewportSize(DESKTOP);
  await page.keyboard.press('Escape');
  await expect.poll(() => stored(page)).toEqual(['How to live: walden']);

  const address = page.url();
  await page.goto('/books/meditations');
  await appReady(page);
  await page.getByRole('button', { name: 'Add to list' }).first().press('Enter');
  const lists = page.getByRole('dialog', { name: 'Add to list' });
  await lists.getByRole('checkbox', { name: 'How to live' }).press('Space');
  await expect.poll(() => stored(page)).toEqual(['How to live: walden, meditations']);
  await scanEverywhere(page, 'the lists of a book');
  await page.setViewportSize(DESKTOP);

  await page.goto(address);
  await appReady(page);
  await expect.poll(() => titles(page)).toHaveLength(2);
  const [first, second] = await titles(page);
  const handle = page.getByRole('button', { name: new RegExp(`^Move ${first ?? ''}`) });
  await handle.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => titles(page)).toEqual([second, first]);
  await expect(handle).toBeFocused();
  await expect.poll(() => stored(page)).toEqual(['How to live: meditations, walden']);
  await scanEverywhere(page, 'an own list');
  await page.setViewportSize(DESKTOP);
  await page.getByRole('button', { name: `Remove ${first ?? ''}` }).press('Enter');
  await expect.poll(() => stored(page)).toEqual(['How to live: meditations']);
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect.poll(() => stored(page)).toEqual(['How to live: meditations, walden']);

  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await expect(page.getByRole('heading', { name: 'No lists yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(page.getByRole('link', { name: 'How to live' })).toBeVisible();
  await scanEverywhere(page, 'lists');
});

test('by mouse: a book is dragged to another place', async ({ page }) => {
  await newMember(page);
  await openList(page, 'Dragged', ['walden', 'meditations', 'on-liberty']);
  await expect.poll(() => titles(page)).toHaveLength(3);
  const [first, second, third] = await titles(page);
  const from = await page.getByRole('button', { name: new RegExp(`^Move ${third ?? ''}`) }).boundingBox();
  const to = await page.getByRole('button', { name: new RegExp(`^Move ${first ?? ''}`) }).boundingBox();
  if (!from || !to) throw new Error('The handles are not shown.');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y, { steps: 8 });
  await page.mouse.up();
  await expect.poll(() => titles(page)).toEqual([third, first, second]);
  await expect.poll(() => stored(page)).toEqual(['Dragged: on-liberty, walden, meditations']);
  await page.reload();
  await expect.poll(() => titles(page)).toEqual([third, first, second]);
});

test('shared: a visitor reads a public list, a member follows it, and an admin takes it down', async ({ page, browser, quiet }) => {
  // What is not shared any more is a 404.
  quiet.allow(/404/);
  await newMember(page);
  const name = `Old books ${Date.now()}`;
  await openList(page, name, ['walden', 'meditations', 'on-liberty']);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this list' });
  await dialog.getByRole('radio', { name: /^Public page/ }).check({ force: true });
  await dialog.getByRole('button', { name: 'Make it public' }).click();
  await expect(dialog.getByLabel('Link to the list')).toBeVisible();
  await scanEverywhere(page, 'the sharing of a list');
  const path = `/list/${name.toLowerCase().replaceAll(' ', '-')}`;

  const visitor = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  const html = await (await visitor.request.get(path)).text();
  expect(html).toContain('Walden');
  await visitor.goto(path);
  await expect(visitor.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(visitor.getByRole('link', { name: 'Sign up to follow this list' })).toBeVisible();
  await scanEverywhere(visitor, 'a shared list for visitors');

  const other = await otherMember(browser);
  await other.goto(path);
  await appReady(other);
  await other.getByRole('button', { name: 'Follow this list' }).click();
  await expect(other.getByRole('button', { name: 'Following' })).toBeVisible();
  await other.goto('/lists');
  await expect(other.getByRole('link', { name })).toBeVisible();
  await page.goto('/lists');
  await expect(page.getByText('Followed by 1 member')).toBeVisible();

  const admin = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await signInAs(admin, 'admin');
  await admin.goto(`/admin/lists?q=${encodeURIComponent(name)}`);
  await expect(admin.getByRole('button', { name: `Take down ${name}` })).toBeVisible();
  await scanEverywhere(admin, 'the public lists of the back office');
  await admin.setViewportSize(DESKTOP);
  await admin.getByRole('button', { name: `Take down ${name}` }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Take down' }).click();
  await expect(admin.getByRole('button', { name: `Allow ${name} again` })).toBeVisible();
  await visitor.goto(path);
  await expect(visitor.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await other.goto('/lists');
  await expect(other.getByText(/^When you follow a list/)).toBeVisible();
  await page.goto('/lists');
  await page.getByRole('link', { name }).click();
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByText('This list was taken down. It can’t be shared until we allow it.')).toBeVisible();
  for (const one of [visitor, other, admin]) await one.context().close();
});

test('a team: the buyer of seats gives a list, and a member shows what they have finished', async ({ page, browser }) => {
  await newMember(page);
  await page.goto('/teams');
  await buy(page, 'bulk', { quantity: 20 });
  const { seats } = await call<{ seats: { code: string }[] }>(page.request, 'GET', '/api/teams/seats', undefined, await tokenOf(page));
  await openList(page, 'Onboarding', ['walden', 'meditations']);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this list' });
  await dialog.getByRole('checkbox', { name: 'Give it to my team' }).click();
  await dialog.getByRole('link', { name: 'See the page of your team' }).click();
  // The page of the own list has the same heading.
  await expect(page).toHaveURL(/\/lists\/team\/\d+$/);
  await expect(page.getByText('Your list, for your team.')).toBeVisible();
  const address = new URL(page.url()).pathname;
  await scanEverywhere(page, 'a list of a team for its owner');

  const member = await otherMember(browser);
  const token = await tokenOf(member);
  await call(member.request, 'POST', '/api/user/stacksocial', { code: seats[0]?.code }, token);
  const { book } = await call<{ book: { id: number } }>(member.request, 'GET', '/api/books/meditations', undefined, token);
  await call(member.request, 'PUT', '/api/user-book-history', { bookId: book.id, position: 9, completed: true }, token);
  await member.goto('/lists');
  await member.getByRole('link', { name: 'Onboarding' }).click();
  await expect(member.getByText('From Ada, for your team')).toBeVisible();
  const saved = member.waitForResponse((response) => response.url().includes('/agreement') && response.ok());
  await member.getByRole('checkbox', { name: 'Show my team which of these I have finished?' }).click();
  await saved;
  await expect(member.getByText('Finished by you')).toBeVisible();
  await scanEverywhere(member, 'a list of a team for a member');
  await page.goto(address);
  await expect(page.getByText('Finished by Ada')).toBeVisible();
  await expect(page.getByText('1 of 2')).toBeVisible();
  await member.context().close();
});

test.describe('on a phone', () => {
  test.use(PHONE);

  test('by touch: a list is made from a book, and put in order by the buttons of a book', async ({ page }) => {
    await newMember(page);
    await page.goto('/books/walden');
    await appReady(page);
    await page.getByRole('button', { name: 'Add to list' }).first().tap();
    const dialog = page.getByRole('dialog', { name: 'Add to list' });
    await dialog.getByLabel('Name of your first list').fill('For the train');
    await dialog.getByRole('button', { name: 'Create and add' }).tap();
    await expect(dialog.getByRole('checkbox', { name: 'For the train' })).toBeChecked();
    await expect.poll(() => stored(page)).toEqual(['For the train: walden']);
    await openList(page, 'By touch', ['walden', 'meditations']);
    await expect.poll(() => titles(page)).toHaveLength(2);
    const [first, second] = await titles(page);
    await page.getByRole('button', { name: new RegExp(`^Move ${first ?? ''}`) }).tap();
    await page.getByRole('button', { name: 'Down', exact: true }).tap();
    await expect.poll(() => titles(page)).toEqual([second, first]);
    await expect.poll(() => stored(page)).toEqual(['By touch: meditations, walden', 'For the train: walden']);
  });

  test('by touch: a book is dragged to another place', async ({ page }) => {
    await newMember(page);
    await openList(page, 'Dragged by touch', ['walden', 'meditations']);
    await expect.poll(() => titles(page)).toHaveLength(2);
    const [first, second] = await titles(page);
    const handle = (title = '') => page.getByRole('button', { name: new RegExp(`^Move ${title}`) });
    await handle(second).scrollIntoViewIfNeeded();
    const from = await handle(first).boundingBox();
    const to = await handle(second).boundingBox();
    if (!from || !to) throw new Error('The handles are not shown.');
    const devtools = await page.context().newCDPSession(page);
    const x = from.x + from.width / 2;
    const start = from.y + from.height / 2;
    const end = to.y + to.height;
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y: start }] });
    for (let step = 1; step <= 8; step++) {
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y: start + ((end - start) * step) / 8 }] });
    }
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect.poll(() => titles(page)).toEqual([second, first]);
    await expect.poll(() => stored(page)).toEqual(['Dragged by touch: meditations, walden']);
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
    await openList(page, 'Offline', ['walden', 'meditations', 'on-liberty']);
    await expect.poll(() => titles(page)).toHaveLength(3);
    const [first, second, third] = await titles(page);
    const address = page.url();

    const otherContext = await browser.newContext({ serviceWorkers: 'allow', reducedMotion: 'reduce' });
    const other = await otherContext.newPage();
    await knowsWhenOffline(other);
    await logIn(other, email, PASSWORD);
    await other.goto('/home');
    await installed(other);
    await other.goto(address);
    await expect.poll(() => titles(other)).toHaveLength(3);

    await goOffline(context, page);
    await goOffline(otherContext, other);
    // One puts the last book first, the other removes the one in the middle and renames the list.
    await page.getByRole('button', { name: new RegExp(`^Move ${third ?? ''}`) }).focus();
    await page.keyboard.press('Home');
    await expect.poll(() => titles(page)).toEqual([third, first, second]);
    await other.getByRole('button', { name: `Remove ${second ?? ''}` }).click();
    await expect.poll(() => titles(other)).toEqual([first, third]);
    await other.getByRole('button', { name: 'Edit', exact: true }).click();
    await other.getByLabel('Name').fill('Renamed');
    await other.getByRole('button', { name: 'Save' }).click();
    await expect(other.getByRole('heading', { level: 1, name: 'Renamed' })).toBeVisible();
    // What is on the device is there after a restart.
    await page.goto(address);
    await expect.poll(() => titles(page)).toEqual([third, first, second]);

    await goOnline(otherContext, other);
    await expect.poll(() => stored(other)).toEqual(['Renamed: walden, on-liberty']);
    await goOnline(context, page);
    await expect.poll(() => stored(page)).toEqual(['Renamed: on-liberty, walden']);
    for (const device of [page, other]) {
      await device.goto(address);
      await expect(device.getByRole('heading', { level: 1, name: 'Renamed' })).toBeVisible();
      await expect.poll(() => titles(device)).toEqual([third, first]);
    }
    await otherContext.close();
  });
});
