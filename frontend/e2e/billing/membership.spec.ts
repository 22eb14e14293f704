// Membership on the real server: a plan is left and taken up again, paused, redeemed with a code, brought by a friend, and shared by a team.
// What is bought is bought by the call that the checkout makes; the checkout itself has tests of its own.
import type { Page } from '@playwright/test';
import { scanEverywhere } from '../harness/axe';
import { mailTo } from '../harness/mails';
import { buy, newAddress, newMember, PASSWORD, signUp } from '../harness/people';
import { appReady } from '../harness/ready';
import { expect, test } from '../harness/watch';

const news = (page: Page) => page.locator('.toasts');
const card = (page: Page) => page.locator('.account__card');

/** The code in the mail that came to an address. */
async function codeFor(email: string, subject: RegExp): Promise<string> {
  const { links } = await mailTo(email, subject);
  const link = links.find((one) => one.includes('/subscriptioncode/')) ?? '';
  return decodeURIComponent(link.split('/subscriptioncode/')[1] ?? '');
}

/** Another person at a browser of their own. */
async function elsewhere(page: Page, baseURL: string | undefined): Promise<Page> {
  const context = await page
    .context()
    .browser()
    ?.newContext({ ...(baseURL && { baseURL }), serviceWorkers: 'block' });
  if (!context) throw new Error('The browser is gone.');
  return context.newPage();
}

test('a plan is cancelled in three presses, stays open, and is taken up again with one', async ({ page }) => {
  await newMember(page);
  await buy(page, 'yearly');
  await page.goto('/account');
  await expect(card(page)).toContainText(/(First|Next) charge: \$59\.99 on/);
  await scanEverywhere(page, 'the account with a plan');
  await page.getByRole('link', { name: /^Cancel subscription/ }).click();
  await page.getByRole('radio', { name: 'I am not using it right now' }).check();
  await scanEverywhere(page, '/cancel');
  await page.getByRole('button', { name: 'Turn off auto-renewal' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your subscription was cancelled.' })).toBeFocused();
  await expect(page.getByText(/^You can read everything until /)).toBeVisible();
  await scanEverywhere(page, 'a plan that was cancelled');

  await page.goto('/account');
  await expect(card(page)).toContainText('It does not renew. You will not be charged again.');
  await card(page).getByRole('button', { name: 'Turn renewal back on' }).click();
  await expect(news(page)).toContainText('Your plan continues.');
  await expect(card(page)).toContainText(/(First|Next) charge: \$59\.99 on/);
});

test('a plan is paused for two months from the cancellation, and goes on with one press', async ({ page }) => {
  // A trial is cancelled, not paused: another member has used the card's.
  await newMember(page);
  await buy(page, 'yearly');
  await newMember(page);
  await buy(page, 'monthly');
  await page.goto('/cancel');
  await page.getByText('2 months').click();
  await page.getByRole('button', { name: 'Pause for 2 months' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Your plan is paused until / })).toBeFocused();
  await page.goto('/account');
  await expect(card(page)).toContainText('Paused');
  await scanEverywhere(page, 'the account with a pause');
  await card(page).getByRole('button', { name: 'Resume now' }).click();
  await expect(news(page)).toContainText('Your plan continues.');
  await expect(card(page)).not.toContainText('Paused');
});

test('the next charge stands where the plan is named', async ({ page }) => {
  await newMember(page);
  await buy(page, 'yearly');
  await page.goto('/home');
  await appReady(page);
  await page.getByRole('button', { name: 'Your account' }).click();
  await page
    .getByRole('navigation', { name: 'Your account' })
    .getByRole('link', { name: /^Yearly (First|Next) charge: \$59\.99 on / })
    .click();
  await expect(page).toHaveURL(/\/account#subscription$/);
  await expect(page.getByRole('heading', { name: 'Subscription' })).toBeInViewport();
});

test('a gift’s code opens a new account, once', async ({ page, baseURL, quiet }) => {
  quiet.allow(/409/); // the code that is used already
  quiet.allow(/404.*\/api\/gifts\/find/); // which is no gift to be redeemed any more
  const giver = await newMember(page);
  await buy(page, 'gift', { gift: true, senderName: '', recipientName: '', recipientEmail: '', recipientMsg: '' });
  const code = await codeFor(giver, /gift/i);
  const friend = await elsewhere(page, baseURL);
  await friend.goto(`/subscriptioncode/${code}`);
  await expect(friend.getByLabel('Code')).toHaveValue(code);
  await scanEverywhere(friend, '/subscriptioncode');
  await friend.getByLabel('First name').fill('Grace');
  await friend.getByLabel('Last name').fill('Reader');
  await friend.getByLabel('Email').fill(newAddress());
  await friend.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await friend.getByRole('button', { name: 'Sign up', exact: true }).click();
  await expect(friend).toHaveURL(/\/(home|choose-categories\/new)$/);
  await friend.goto('/account');
  await expect(card(friend)).toContainText('It does not renew.');
  await friend.context().close();

  await page.goto(`/stacksocial?code=${code}`);
  await scanEverywhere(page, '/stacksocial');
  await page.getByRole('button', { name: 'Redeem Code' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('Code')).toHaveValue(code);
});

test('a friend who came by a link and buys is counted, and the reward is pending', async ({ page, baseURL }) => {
  await newMember(page);
  await page.goto('/refer-a-friend');
  await expect(page.getByLabel('Your referral link')).toHaveValue(/\/r\/.+/);
  const link = await page.getByLabel('Your referral link').inputValue();
  await scanEverywhere(page, '/refer-a-friend');
  const friend = await elsewhere(page, baseURL);
  await friend.goto(link);
  await expect(friend).toHaveURL(`${baseURL ?? ''}/`);
  await expect.poll(() => friend.evaluate(() => localStorage.getItem('rId'))).not.toBeNull();
  const rId = await friend.evaluate(() => localStorage.getItem('rId'));
  expect(link.endsWith(`/r/${rId ?? ''}`)).toBe(true);
  await signUp(friend);
  await buy(friend, 'lifetime', { rId });
  await friend.context().close();

  await page.goto('/refer-a-friend');
  const figure = (label: string) => page.locator('.earnings__figure').filter({ hasText: label });
  await expect(figure('Clicks')).toContainText('1');
  await expect(figure('Friends who subscribed')).toContainText('1');
  await expect(figure('Pending')).toContainText('$37.25');
});

test('a member joins the affiliate program with one press', async ({ page }) => {
  await newMember(page);
  await page.goto('/affiliate');
  await appReady(page);
  await page.getByRole('link', { name: 'Get Started' }).first().click();
  await expect(page).toHaveURL(/\/invite$/);
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.getByLabel('Your affiliate link')).toHaveValue(/\/r\/.+/);
  await scanEverywhere(page, '/invite');
});

test('a seat of a team is sent, used by a colleague, and shown as used', async ({ page, baseURL }) => {
  await newMember(page);
  await buy(page, 'bulk', { quantity: 20 });
  await page.goto('/teams');
  const seats = page.getByRole('region', { name: 'Your seats' });
  await expect(seats).toContainText('0 of 20 seats used.');
  await scanEverywhere(page, '/teams with seats');
  const colleague = newAddress();
  await seats
    .getByRole('button', { name: /^Send [A-Z0-9]+-/ })
    .first()
    .click();
  await page.getByRole('dialog', { name: 'Send a seat' }).getByLabel('Email').fill(colleague);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await expect(news(page)).toContainText(`The code is on its way to ${colleague}.`);
  await expect(seats).toContainText(`Sent to ${colleague}`);
  const code = await codeFor(colleague, /has a seat/i);

  const other = await elsewhere(page, baseURL);
  await newMember(other);
  await other.goto(`/subscriptioncode/${code}`);
  await other.getByRole('button', { name: 'Redeem Code' }).click();
  await expect(other.getByRole('heading', { level: 1, name: 'Success!' })).toBeFocused();
  await other.context().close();

  await page.reload();
  await expect(seats).toContainText('1 of 20 seats used.');
});
