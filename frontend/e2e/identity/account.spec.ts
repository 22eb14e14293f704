// The account, from a change of name to the end, on the real server.
import { readFile } from 'node:fs/promises';
import type { Browser, Download, Page } from '@playwright/test';
import { ready, scanEverywhere } from '../harness/axe';
import { ageSessions } from '../harness/database';
import { mailTo } from '../harness/mails';
import { logIn, newAddress, newMember, PASSWORD } from '../harness/people';
import { nextTotpCode, totpCode } from '../harness/totp';
import { expect, test } from '../harness/watch';
import { unzip } from '../harness/zip';

const NEW_PASSWORD = 'another long and quiet evening';

/** The same member on another device. */
async function elsewhere(browser: Browser, baseURL: string | undefined, email: string, password = PASSWORD): Promise<Page> {
  const context = await browser.newContext({
    ...(baseURL && { baseURL }),
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  });
  const page = await context.newPage();
  await logIn(page, email, password);
  return page;
}

const setting = (page: Page, name: string) => page.locator('.setting').filter({ has: page.getByRole('heading', { name, level: 3 }) });
const news = (page: Page) => page.locator('.toasts');
const entries = async (download: Download) => unzip(await readFile(await download.path()));

async function openAccount(page: Page): Promise<void> {
  await page.goto('/account');
  await expect(page.getByRole('list', { name: 'Your devices' })).toBeVisible();
}

/** Follows the link of the mail that came with the sign-up: only to a confirmed address is an archive sent. */
async function confirmAddress(page: Page, email: string): Promise<void> {
  const { links } = await mailTo(email, /confirm your address/i);
  await page.goto(links.find((link) => link.includes('/confirm-email#')) ?? '');
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible();
}

/** A session that was ended shows at its next call: the page is left for the login. */
async function expectSignedOut(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem('tokenDate', '1'));
  await page.goto('/library');
  await expect(page).toHaveURL(/\/(login|signup)\?redirect=%2Flibrary/);
}

test('a new name and time zone are kept and used', async ({ page }) => {
  await newMember(page);
  await openAccount(page);
  await page.getByRole('button', { name: 'Change your name' }).click();
  await expect(page.getByLabel('First name')).toBeFocused();
  await page.getByLabel('First name').fill('Grace');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(news(page)).toHaveText('Your name is saved.');
  await expect(page.getByRole('button', { name: 'Change your name' })).toBeFocused();

  await page.getByRole('button', { name: 'Change your time zone' }).click();
  await page.getByLabel('Time zone').fill('Mars/Olympus');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('There is no such time zone.')).toBeVisible();
  await page.getByLabel('Time zone').fill('Asia/Tokyo');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(setting(page, 'Time zone')).toContainText('Asia / Tokyo');

  await page.reload();
  await expect(setting(page, 'Name')).toContainText('Grace Reader');
  await expect(setting(page, 'Time zone')).toContainText('Asia / Tokyo');
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Welcome, Grace!' })).toBeVisible();
});

test('a new password signs out the other devices, and a mail says so', async ({ page, browser, baseURL, quiet }) => {
  quiet.allow(/status of 4\d\d/);
  const email = await newMember(page);
  const other = await elsewhere(browser, baseURL, email);
  await openAccount(page);
  await page.getByRole('button', { name: 'Change your password' }).click();
  const fill = async (old: string, first: string, second: string) => {
    await page.getByLabel('Current password').fill(old);
    await page.getByLabel('New Password', { exact: true }).fill(first);
    await page.getByLabel('Confirm New Password').fill(second);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await fill('not this one', NEW_PASSWORD, NEW_PASSWORD);
  await expect(page.getByLabel('Current password')).toHaveAttribute('aria-invalid', 'true');
  await fill(PASSWORD, NEW_PASSWORD, 'something else');
  await expect(page.getByText('The passwords do not match.')).toBeVisible();
  await fill(PASSWORD, NEW_PASSWORD, NEW_PASSWORD);
  await expect(news(page)).toHaveText('Your password was changed. All your other devices were logged out.');
  await expect(page.getByText('This is your only device.')).toBeVisible();
  await expectSignedOut(other);
  await mailTo(email, /your password was changed/i);

  await page.goto('/library');
  await expect(page).toHaveURL(/\/library$/);
  await logIn(other, email, NEW_PASSWORD);
  await other.context().close();
});

test('a new address is confirmed by its mail, and a mail tells the old one', async ({ page, browser, baseURL }) => {
  const email = await newMember(page);
  const address = newAddress();
  await openAccount(page);
  await page.getByRole('button', { name: 'Change your email address' }).click();
  await page.getByLabel('New email address').fill(address);
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(setting(page, 'Email')).toContainText(`Changes to ${address} once you follow the link`);
  await expect(setting(page, 'Email')).toContainText(email);

  const { links } = await mailTo(address, /confirm your new address/i);
  const link = links.find((one) => one.includes('/confirm-email#'));
  await page.goto(link ?? '');
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible();
  // Not /address/: the mail of the sign-up, 'Confirm your address', came before it.
  const notice = await mailTo(email, /your address was changed/i);
  expect(notice.text).toContain(address);

  await openAccount(page);
  await expect(setting(page, 'Email')).toContainText(address);
  await expect(setting(page, 'Email')).not.toContainText('once you follow the link');
  const other = await elsewhere(browser, baseURL, address);
  await other.context().close();
});

test('devices are listed, and ended one by one or all at once', async ({ page, browser, baseURL, quiet }) => {
  quiet.allow(/status of 4\d\d/);
  const email = await newMember(page);
  const one = await elsewhere(browser, baseURL, email);
  await openAccount(page);
  const devices = page.getByRole('list', { name: 'Your devices' });
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await expect(devices.getByRole('listitem').first()).toContainText('This device');
  await devices.getByRole('button', { name: /^Log out Firefox on Windows/ }).click();
  await expect(news(page)).toHaveText('Firefox on Windows was logged out.');
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  await expectSignedOut(one);

  await logIn(one, email, PASSWORD);
  const two = await elsewhere(browser, baseURL, email);
  await page.reload();
  await page.getByRole('button', { name: 'Log out all other devices' }).click();
  await page.getByRole('button', { name: 'Log them out' }).click();
  await expect(page.getByText('This is your only device.')).toBeVisible();
  await expectSignedOut(one);
  await expectSignedOut(two);
  await page.reload();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  for (const device of [one, two]) await device.context().close();
});

test('a second factor is set up, asked for at the next login, and turned off', async ({ page, browser, baseURL, quiet }) => {
  test.slow();
  quiet.allow(/status of 4\d\d/);
  const email = await newMember(page);
  await openAccount(page);
  await page.getByRole('button', { name: 'Set up the second factor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up a second factor' });
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img', { name: 'The QR code for your authenticator app' })).toBeVisible();
  // The picture is drawn: it has the size of its content, not of a broken image.
  await expect.poll(() => dialog.getByRole('img').evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true);
  const secret = await dialog.locator('.factor__secret').innerText();
  await dialog.getByLabel('Six-digit code').fill('000000');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByLabel('Six-digit code')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Six-digit code').fill(totpCode(secret));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByRole('heading', { name: 'Keep these recovery codes' })).toBeFocused();
  const codes = await dialog.locator('.codes__code').allInnerTexts();
  expect(new Set(codes).size).toBe(10);
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const kept = await readFile(await (await downloading).path(), 'utf8');
  for (const code of codes) expect(kept).toContain(code);
  await dialog.getByRole('checkbox', { name: 'I have saved them' }).check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(setting(page, 'Second factor')).toContainText('10 recovery codes left');
  await expect(page.getByRole('button', { name: 'Turn off the second factor' })).toBeFocused();

  // With a recovery code, because the app's code of this half minute is used up.
  const context = await browser.newContext({ ...(baseURL && { baseURL }) });
  const other = await context.newPage();
  await other.goto('/login');
  await other.getByLabel('Email').fill(email);
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.getByRole('button', { name: 'Log in', exact: true }).click();
  await other.getByRole('button', { name: 'Use a recovery code' }).click();
  await other.getByLabel('Recovery code').fill(codes[0] ?? '');
  await other.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(other).toHaveURL(/\/home$/);
  await context.close();

  await page.reload();
  await expect(setting(page, 'Second factor')).toContainText('9 recovery codes left');
  await page.getByRole('button', { name: 'New recovery codes' }).click();
  await page.getByLabel('Code', { exact: true }).fill(nextTotpCode(secret));
  await page.getByRole('button', { name: 'Create new codes' }).click();
  await expect(page.getByRole('heading', { name: 'Keep these recovery codes' })).toBeVisible();
  const fresh = await page.locator('.codes__code').allInnerTexts();
  expect(fresh.some((code) => codes.includes(code))).toBe(false);
  await page.getByRole('checkbox', { name: 'I have saved them' }).check();
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Turn off the second factor' }).click();
  await page.getByLabel('Code', { exact: true }).fill(fresh[0] ?? '');
  await page.getByRole('button', { name: 'Turn off', exact: true }).click();
  await expect(news(page)).toContainText('The second factor is off.');
  await expect(page.getByRole('button', { name: 'Set up the second factor' })).toBeVisible();
});

test('the archive holds what was read, for people and for programs', async ({ page }) => {
  const email = await newMember(page);
  await page.goto('/books/walden');
  // The button in the server's text does nothing yet.
  await ready(page);
  await page.getByRole('button', { name: 'Add to library' }).click();
  await expect(page.getByRole('button', { name: 'Remove from library' })).toBeVisible();
  await openAccount(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download your archive' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  const files = await entries(download);
  for (const name of ['README.md', 'account.json', 'history.json', 'library.json', 'ratings.json', 'profile.md', 'reading.md']) {
    expect([...files.keys()].map((one) => one.split('/').at(-1))).toContain(name);
  }
  const inside = (name: string) => [...files].find(([one]) => one.endsWith(name))?.[1] ?? '';
  expect(inside('account.json')).toContain(email);
  expect(inside('library.json')).toContain('walden');
  expect(inside('profile.md')).toContain(email);
  expect(inside('reading.md')).toContain('Walden');
});

test('the archive comes by a mailed link, once', async ({ page, browser, baseURL, quiet }) => {
  const email = await newMember(page);
  await confirmAddress(page, email);
  await openAccount(page);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(news(page)).toHaveText('We sent you a link to your archive. It works once, within 24 hours.');
  const { links } = await mailTo(email, /your archive is ready/i);
  const link = links.find((one) => one.includes('/account/archive#')) ?? '';

  // The mail may be read on a device without a session.
  const context = await browser.newContext({ ...(baseURL && { baseURL }) });
  const reader = await context.newPage();
  await reader.goto(link);
  const downloading = reader.waitForEvent('download');
  await reader.getByRole('button', { name: 'Download your archive' }).click();
  expect([...(await entries(await downloading)).keys()].length).toBeGreaterThan(5);
  await expect(reader.getByText('This link no longer works.')).toBeVisible();
  await expect(reader).toHaveURL(/\/account\/archive$/);
  await context.close();

  quiet.allow(/status of 400/);
  await page.goto(link);
  await page.getByRole('button', { name: 'Download your archive' }).click();
  await expect(page.getByRole('alert')).toContainText('This link has expired or was already used.');
});

test('an account is deleted after two questions, everywhere and for good', async ({ page, browser, baseURL, quiet }) => {
  quiet.allow(/status of 4\d\d/);
  const email = await newMember(page);
  const other = await elsewhere(browser, baseURL, email);
  await openAccount(page);
  await page.getByRole('link', { name: 'Delete Account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Delete Account' })).toBeFocused();
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please specify Why are you deleting your account?.');
  await page.getByLabel('Why are you deleting your account?').fill('I have read enough.');
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please specify How did you find out about us?.');
  await page.getByLabel('How did you find out about us?').fill('A friend.');
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await expectSignedOut(other);
  await other.context().close();
  await mailTo(email, /your account has been deleted/i);

  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('The email or password is not correct.');
});

test('an hour after the sign-in a dialog asks for a proof, by password or by a mailed code, and goes on', async ({ page, quiet }) => {
  quiet.allow(/status of 4\d\d/);
  const email = await newMember(page);
  await page.goto('/account/delete');
  await ageSessions(email);
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });

  // A mailed code, for the archive.
  await page.getByRole('button', { name: 'Download your archive' }).click();
  await expect(dialog).toBeVisible();
  await ready(page);
  await scanEverywhere(page, 'the proof dialog');
  await dialog.getByRole('button', { name: 'Email me a code' }).click();
  const { text } = await mailTo(email, /^your code$/i);
  await dialog.getByLabel('Code').fill(/\b\d{3} ?\d{3}\b/.exec(text)?.[0] ?? '');
  const file = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Continue with the code' }).click();
  expect((await file).suggestedFilename()).toMatch(/\.zip$/);
  await expect(dialog).toBeHidden();

  // The password, for the deletion. Who closes the dialog keeps the account.
  await ageSessions(email);
  await page.getByRole('list', { name: 'Reasons to choose from' }).getByRole('button', { name: 'I would rather not say' }).click();
  await page.getByRole('list', { name: 'Ways to choose from' }).getByRole('button', { name: 'I would rather not say' }).click();
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Nothing was done, because you did not confirm that it is you.')).toBeVisible();
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await dialog.getByLabel('Current password', { exact: true }).fill('not this one');
  await dialog.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(dialog.getByLabel('Current password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page).toHaveURL(/\/$/);
  await mailTo(email, /your account has been deleted/i);
});

test('without a session the deletion asks for the login', async ({ page }) => {
  await page.goto('/account/delete');
  await page.getByRole('main').getByRole('link', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL('/login?redirect=%2Faccount%2Fdelete');
});

test('the whole page is walked by keyboard', async ({ page }) => {
  await newMember(page);
  await openAccount(page);
  const focused = () => page.evaluate(() => (document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim());
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Profile' }).focus();
  const met: string[] = [];
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    const name = await focused();
    met.push(name);
    // Whatever has the focus is in sight.
    await expect(page.locator(':focus')).toBeInViewport();
    if (name === 'Log out') break;
  }
  const order = [
    'Subscription',
    'Change your name',
    'Change your email address',
    'Change your time zone',
    'Upgrade Now',
    'Change your password',
    'Set up the second factor',
    'Add a passkey',
    'Download your archive',
    'Send me a link',
    'Log out',
  ];
  expect(met.filter((name) => order.includes(name))).toEqual(order);

  // In, change, and out again without a pointer.
  await page.getByRole('button', { name: 'Change your name' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('First name')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Grace');
  await page.keyboard.press('Enter');
  await expect(setting(page, 'Name')).toContainText('Grace Reader');
  await expect(page.getByRole('button', { name: 'Change your name' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('First name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Change your name' })).toBeFocused();

  await page.getByRole('button', { name: 'Set up the second factor' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Set up the second factor' })).toBeFocused();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, contextOptions: { reducedMotion: 'reduce' } });

  test('axe finds nothing in what opens on the page', async ({ page }) => {
    test.slow();
    await newMember(page);
    await openAccount(page);
    const check = (what: string) => scanEverywhere(page, what, [390]);
    for (const name of ['Change your name', 'Change your email address', 'Change your time zone', 'Change your password']) {
      await page.getByRole('button', { name }).click();
    }
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText('Your current password is missing.')).toBeVisible();
    await check('the forms in place');

    await page.getByRole('button', { name: 'Set up the second factor' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current password').fill(PASSWORD);
    await check('the first step');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const secret = await dialog.locator('.factor__secret').innerText();
    await check('the second step');
    await dialog.getByLabel('Six-digit code').fill(totpCode(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await expect(dialog.locator('.codes__code')).toHaveCount(10);
    await check('the recovery codes');

    // On paper stand the codes and nothing else.
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('.codes__title')).toBeVisible();
    await expect(page.locator('.codes__code').last()).toBeVisible();
    await expect(page.getByText('I have saved them')).toBeHidden();
    await expect(page.locator('#profile-title')).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
    await dialog.getByRole('checkbox', { name: 'I have saved them' }).check();
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await check('a passkey');
  });
});
