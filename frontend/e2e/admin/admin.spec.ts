import type { Page } from '@playwright/test';
import { ready, scanEverywhere } from '../harness/axe';
import { newMember, signInAs } from '../harness/people';
import { expect, test } from '../harness/watch';

/** Sends a contact message through the API. */
async function write(page: Page, name: string, body: string) {
  const answer = await page.request.post('/api/contact', { data: { name, email: 'grace@example.com', body } });
  expect(answer.ok()).toBe(true);
}

/** A name that no other test's messages bear. */
const someone = () => `Grace ${Math.random().toString(36).slice(2, 8)}`;

test('the back office is closed to members, and visitors sign up first', async ({ page }) => {
  await page.goto('/admin/messages?show=all');
  await expect(page).toHaveURL('/signup?redirect=%2Fadmin%2Fmessages%3Fshow%3Dall');
  await newMember(page);
  for (const address of ['/admin', '/admin/messages', '/admin/mails']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: 'You do not have access to this page.' })).toBeVisible();
  }
  await page.getByRole('link', { name: 'View site' }).click();
  await page.getByRole('button', { name: 'Your account' }).click();
  await expect(page.getByRole('navigation', { name: 'Your account' }).getByRole('link', { name: 'Log out', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Admin' })).toHaveCount(0);
});

test('an admin sees to the inbox by the keyboard alone', async ({ page }) => {
  const [first, second] = [someone(), someone()];
  await write(page, first, 'The first message.\n\nIt has two paragraphs.');
  await write(page, second, 'The second message.');
  await signInAs(page, 'admin');
  await page.goto('/home');
  await ready(page);
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('link', { name: 'Admin' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Back office' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Inbox' }).last().click();
  const title = page.getByRole('heading', { level: 1, name: 'Inbox' });
  await expect(title).toBeFocused();

  const row = (name: string) => page.getByRole('button', { name: new RegExp(name) });
  await expect(row(second)).toBeVisible();
  // Other tests write too: down until the message is there.
  await page.keyboard.press('j');
  while (!(await row(second).evaluate((element) => element === document.activeElement))) await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The second message.').last()).toBeVisible();
  await page.keyboard.press('j');
  while (!(await row(first).evaluate((element) => element === document.activeElement))) await page.keyboard.press('j');
  await expect(row(first)).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByText('It has two paragraphs.')).toBeVisible();
  await page.keyboard.press('e');
  await expect(page.getByText('Marked as done.')).toBeVisible();
  await expect(row(first)).toHaveCount(0);
  await expect(row(second)).toBeVisible();
  // The focus is on what took its place, or on what is left.
  await expect(page.locator('main .inbox__row:focus, main h1:focus')).toHaveCount(1);

  await page.getByText('Done', { exact: true }).first().click();
  await expect(page).toHaveURL(/show=done/);
  await row(first).focus();
  await page.keyboard.press('e');
  await expect(row(first)).toHaveCount(0);
  await page.goto('/admin/messages?kind=suggest');
  await expect(title).toBeVisible();
  await expect(row(first)).toHaveCount(0);
});

test('what people write is text, whatever they write', async ({ page }) => {
  const name = someone();
  await write(page, name, '<img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>');
  await signInAs(page, 'admin');
  await page.goto('/admin/messages');
  await page.getByRole('button', { name: new RegExp(name) }).click();
  await expect(page.getByText('<script>document.title="run"</script>').last()).toBeVisible();
  await expect(page).toHaveTitle(/Inbox/);
});

test('an admin sees where each mail stands', async ({ page }) => {
  await write(page, someone(), 'A mail goes to support for this one.');
  await signInAs(page, 'admin');
  await page.goto('/admin/mails');
  await expect(page.getByRole('heading', { level: 1, name: 'Emails' })).toBeVisible();
  const mail = page.getByRole('listitem').filter({ hasText: 'Message to support to s…@example.com' }).first();
  await expect(mail).toContainText('sent once', { timeout: 60_000 });
  await page.getByText('Failed', { exact: true }).click();
  await expect(page).toHaveURL(/state=set_aside/);
  await expect(page.getByRole('heading', { name: 'No failed emails' })).toBeVisible();
});

test('a mail that was set aside is tried again', async ({ page }) => {
  const waiting = {
    id: 7,
    kind: 'invitation',
    to: 'b…@example.com',
    state: 'set_aside',
    attempts: 10,
    deliveries: 'none',
    lastError: 'The mail server is away.',
    createdAt: Date.now() - 86_400_000,
    sentAt: null,
    nextAt: null,
  };
  let tried = false;
  await page.route('**/api/admin/mails**', async (route) => {
    if (route.request().method() === 'POST') tried = true;
    const mails = [tried ? { ...waiting, state: 'queued', attempts: 0, nextAt: Date.now() + 40_000 } : waiting];
    await route.fulfill({ json: { status: 'ok', result: route.request().method() === 'POST' ? {} : { mails, next: null } } });
  });
  await signInAs(page, 'admin');
  await page.goto('/admin/mails');
  await expect(page.getByText('The mail server is away.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again: Invitation to b…@example.com' }).click();
  await expect(page.getByText('The email will be sent again.')).toBeVisible();
  await expect(page.getByText('next attempt in')).toBeVisible();
});

test('a list that could not be loaded shows the error and a retry button', async ({ page, quiet }) => {
  quiet.allow(/status of 500/);
  await signInAs(page, 'admin');
  const failure = { status: 'error', error: 'There was an error processing your request. Please try again later.', code: 'internal' };
  await page.route('**/api/admin/messages**', (route) => route.fulfill({ status: 500, json: failure }));
  await page.goto('/admin/messages');
  await expect(page.getByRole('alert')).toContainText(failure.error);
  await page.unroute('**/api/admin/messages**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('axe finds nothing in the back office', async ({ page }) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await write(page, someone(), 'Something to read.\n\nAnd more of it, so that it is long enough for two lines on every screen that there is.');
  await signInAs(page, 'admin');
  for (const address of ['/admin', '/admin/messages', '/admin/mails', '/admin/reasons', '/admin/jobs?state=all']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await ready(page);
    if (address === '/admin/messages') await page.locator('.inbox__row').first().click();
    await scanEverywhere(page, address, [1440, 820, 390]);
  }
});
