// Buying, in a real browser, with the sandbox: what is shown is what is charged, and leads on to what was bought.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { ready, scan, scanEverywhere } from '../harness/axe';
import { mailTo } from '../harness/mails';
import { PASSWORD, newAddress, newMember } from '../harness/people';
import { appReady } from '../harness/ready';
import { expect, test } from '../harness/watch';

// Motion off: axe measures colours, and a page half faded in has others.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const payButton = (page: Page) => page.getByRole('complementary', { name: 'Summary' }).getByRole('button');

async function openCheckout(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(payButton(page)).toBeVisible();
  await appReady(page);
}

async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expires').fill('12 / 34');
  await page.getByLabel('Security code').fill('123');
}

/** Gives an address, and waits for the sum that is right for it. */
async function typeEmail(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Card number').focus();
  await appReady(page);
}

test('a guest begins a trial, signs up, and is where they were with the plan', async ({ page }) => {
  const email = newAddress();
  await openCheckout(page, '/payment/monthly?redirect=%2Fbooks%2Fwalden');
  await expect(page.getByText('Payments on this site are simulated')).toBeVisible();
  await expect(page.getByText(/^Your first charge is \$9\.99 on /).first()).toBeVisible();
  await scanEverywhere(page, 'the checkout');
  await page.setViewportSize({ width: 1440, height: 900 });
  await typeCard(page, '4242 4242 4242 4242');
  await typeEmail(page, email);
  await payButton(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'One more step' })).toBeFocused();
  await expect(page.getByText('Nothing charged yet')).toBeVisible();
  await ready(page);
  await scanEverywhere(page, 'after a guest’s purchase');
  // The same after a reload: nothing is bought twice.
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'One more step' })).toBeVisible();
  await page.getByRole('link', { name: 'Sign up', exact: true }).last().click();
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Reader');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up', exact: true }).click();
  await expect(page).toHaveURL('/books/walden');
  await expect(page.getByRole('group', { name: 'Reader menu' })).toBeVisible();
  expect((await mailTo(email, /your receipt/i)).text).toContain('$9.99');
});

test('a declined card says so, and another one pays', async ({ page, quiet }) => {
  quiet.allow(/status of 402/);
  await newMember(page);
  await openCheckout(page, '/payment/lifetime');
  await typeCard(page, '4000 0000 0000 0002');
  await payButton(page).click();
  await expect(page.getByRole('alert')).toHaveText('Your card was declined.');
  await ready(page);
  await scan(page, 'a declined card');
  await typeCard(page, '4242 4242 4242 4242');
  await payButton(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'All summaries are yours' })).toBeVisible();
  await expect(page.getByText('$149.00 paid')).toBeVisible();
});

test('a card number that is none is refused at its field', async ({ page }) => {
  await newMember(page);
  await openCheckout(page, '/payment/lifetime');
  await typeCard(page, '4111 1111 1111 1111');
  await payButton(page).click();
  await expect(page.getByRole('alert')).toHaveText('There was an error processing your request. Please make sure your card number is valid.');
  await expect(page.getByLabel('Card number')).toBeFocused();
});

test('the bank asks: failed it charges nothing, completed it pays', async ({ page, quiet }) => {
  quiet.allow(/status of 402/);
  await newMember(page);
  await openCheckout(page, '/payment/lifetime');
  await typeCard(page, '4000 0027 6000 3184');
  await payButton(page).click();
  await expect(page.getByRole('button', { name: 'Fail authentication' })).toBeVisible();
  await ready(page);
  await scan(page, 'the bank’s question');
  await page.getByRole('button', { name: 'Fail authentication' }).click();
  // The page scrolls up to it: a press while it scrolls would miss the button.
  await expect(page.getByRole('alert')).toBeInViewport();
  await payButton(page).click();
  await page.getByRole('button', { name: 'Complete authentication' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'All summaries are yours' })).toBeVisible();
});

test('infographics are added, and a coupon counts for the whole sum; one that does not exist says so', async ({ page, quiet }) => {
  quiet.allow(/status of 422/);
  await newMember(page);
  await openCheckout(page, '/payment/lifetime');
  await page.getByRole('radio', { name: /^50 infographics/ }).check();
  await expect(payButton(page)).toHaveText('Pay $178.99');
  await page.getByRole('button', { name: 'Add a coupon' }).click();
  await page.getByLabel('Coupon').fill('NO-SUCH-COUPON');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByLabel('Coupon')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Coupon').fill('half');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('takes 50% off the first charge: you save $89.49.')).toBeVisible();
  await expect(payButton(page)).toHaveText('Pay $89.50');
  await ready(page);
  await scan(page, 'an applied coupon');
  await typeCard(page, '4242 4242 4242 4242');
  await payButton(page).click();
  await expect(page.getByText('$89.50 paid')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Download the infographics' })).toBeVisible();
});

test('a gift is given: its code comes by mail to the recipient', async ({ page }) => {
  const recipient = newAddress();
  await openCheckout(page, '/payment/gift?gift=true');
  await expect(page.getByRole('heading', { level: 1, name: 'Gift card' })).toBeVisible();
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Recipient’s name').fill('Grace');
  await page.getByLabel('Recipient’s email').fill(recipient);
  await page.getByLabel('Message').fill('For the long evenings');
  await scanEverywhere(page, 'the gift’s checkout');
  await typeCard(page, '4242 4242 4242 4242');
  await typeEmail(page, newAddress());
  await payButton(page).click();
  await expect(page.getByText('Thanks for purchasing a gift. Your gift details have been emailed to you.')).toBeVisible();
  const mail = await mailTo(recipient, /a gift from/i);
  expect(mail.text).toContain('For the long evenings');
  expect(mail.links.some((link) => link.includes('/subscriptioncode/'))).toBe(true);
});

test('seats are chosen under /teams and bought, from 20 on', async ({ page }) => {
  await page.goto('/teams');
  await appReady(page);
  await page.getByLabel('Seats').fill('19');
  await page.getByLabel('Seats').blur();
  await expect(page.getByText('Please choose a quantity >= 20')).toBeVisible();
  await page.getByLabel('Seats').fill('21');
  await expect(page.getByText('$629.79')).toBeVisible();
  await page.getByRole('link', { name: 'Buy 21 seats' }).click();
  await expect(page).toHaveURL('/payment/bulk?quantity=21');
  await expect(payButton(page)).toHaveText('Pay $629.79');
  await page.getByRole('button', { name: 'One fewer' }).click();
  await expect(payButton(page)).toHaveText('Pay $599.80');
  await typeCard(page, '4242 4242 4242 4242');
  await typeEmail(page, newAddress());
  await payButton(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your seats are ready' })).toBeVisible();
  await expect(page.getByText('$599.80 paid')).toBeVisible();
});

test('a book is bought as a PDF and saved as summary.pdf', async ({ page }) => {
  await page.goto('/download-pdf-or/walden/Walden');
  await page.getByRole('link', { name: 'PDF', exact: true }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Walden' })).toBeVisible();
  await appReady(page);
  await typeCard(page, '4242 4242 4242 4242');
  await typeEmail(page, newAddress());
  const downloading = page.waitForEvent('download');
  await payButton(page).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('summary.pdf');
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-');
  await expect(page.getByRole('heading', { level: 1, name: 'Your PDF is saved' })).toBeVisible();
});

test('a price and a plan that do not exist are not sold', async ({ page, quiet }) => {
  quiet.allow(/status of 404/);
  await page.goto('/payment/book');
  await expect(page.getByRole('heading', { level: 1, name: 'Invalid plan id' })).toBeVisible();
  await ready(page);
  await scan(page, 'an unknown plan');
});
