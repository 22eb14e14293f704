// What opens over a page: axe with the dialog open, at both widths and in both themes, and where its focus is (site.dialog-focus).
import type { Page } from '@playwright/test';
import { ready, scanEverywhere } from './harness/axe';
import { makeBusiness } from './harness/business';
import { buy, newMember, signInAs } from './harness/people';
import { expect, test } from './harness/watch';

// Motion off: axe measures colours, and a dialog half faded in has others.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const WIDE = { width: 1440, height: 900 };

async function go(page: Page, address: string): Promise<void> {
  await page.setViewportSize(WIDE);
  await page.goto(address);
  await ready(page);
}

/** Checks the dialog that is open, and closes it with Escape. */
async function checkDialog(page: Page, name: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog).toBeVisible();
  await ready(page);
  const focused = dialog.locator(':focus');
  await expect(focused, `${name} has the focus`).toHaveCount(1);
  await expect(focused, `${name} does not focus Close or what does harm`).not.toHaveClass(/dialog__close|button--harm/);
  await scanEverywhere(page, `the dialog ${name}`);
  await page.setViewportSize(WIDE);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

test('axe finds nothing in the dialogs of a member with a plan', async ({ page }) => {
  test.slow();
  await newMember(page);
  await buy(page, 'monthly');
  await go(page, '/account');
  await page.getByRole('button', { name: 'Change your payment method' }).click();
  await checkDialog(page, 'Change payment method');
  await page.getByRole('button', { name: 'Switch your plan' }).click();
  await checkDialog(page, 'Switch your plan');

  await go(page, '/books/walden?section=3');
  const menu = page.getByRole('group', { name: 'Reader menu' });
  await menu.getByRole('button', { name: 'Contents' }).click();
  await checkDialog(page, 'Contents');
  await menu.getByRole('button', { name: 'Options' }).click();
  await checkDialog(page, 'Options');
});

test('axe finds nothing in the offer of a plan, the invitation, and what finishing a summary opens', async ({ page }) => {
  test.slow();
  await go(page, '/visuals');
  await page.getByRole('button', { name: 'Walden' }).click();
  await checkDialog(page, 'With a plan');

  await newMember(page);
  await go(page, '/home');
  await page.getByRole('button', { name: 'Invite a friend' }).click();
  await checkDialog(page, 'Invite a friend');

  await go(page, '/books/meditations?section=9');
  await page.getByRole('button', { name: 'Finish' }).click();
  const card = page.getByRole('dialog', { name: 'You have finished this summary' });
  await expect(card.getByRole('article')).toBeVisible();
  await ready(page);
  await scanEverywhere(page, 'what finishing opens');
});

test('axe finds nothing in the dialogs of the back office', async ({ page }) => {
  test.slow();
  const { buyer, order } = await makeBusiness();
  await signInAs(page, 'admin');

  await go(page, '/admin/books-list');
  await page.keyboard.press('Control+k');
  await checkDialog(page, 'Go to');
  await page.getByRole('checkbox', { name: /Walden/ }).check();
  const bulk = page.getByRole('group', { name: 'Change the selected books' });
  await bulk.getByRole('button', { name: 'Delete' }).click();
  await checkDialog(page, 'Delete 1 book?');

  await page.getByRole('link', { name: /^Walden by/ }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  await checkDialog(page, 'Preview');
  await page.getByLabel('Title*').fill('Walden, or else');
  await page.getByRole('link', { name: 'Books', exact: true }).first().click();
  await checkDialog(page, 'Leave without saving?');

  await go(page, `/admin/orders/${order}`);
  await page.getByRole('button', { name: /^Refund the charge/ }).click();
  await checkDialog(page, 'Refund');

  await go(page, `/admin/users?q=${encodeURIComponent(buyer)}`);
  await page.getByRole('link', { name: buyer }).click();
  await page.getByRole('button', { name: 'Suspend' }).click();
  await checkDialog(page, `Suspend ${buyer}?`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await checkDialog(page, `Delete ${buyer}?`);
});
