import { newMember, signInAs } from '../harness/people';
import { expect, test } from '../harness/watch';

test('a visitor writes to us', async ({ page }) => {
  await page.goto('/contact');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByRole('alert')).toContainText('Please complete the form.');
  await page.getByLabel('Name').fill('Grace Reader');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByLabel('Message').fill('Where do I find the contents of a book?');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByRole('heading', { name: 'Message Sent!' })).toBeFocused();
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
});

test('a member suggests a book with the own name in the form', async ({ page }) => {
  await signInAs(page, 'paid');
  await page.goto('/suggest');
  await expect(page.getByLabel('Email')).toHaveValue('paid@example.com');
  await page.getByLabel('Message').fill('Middlemarch, by George Eliot');
  await page.getByRole('button', { name: 'Send suggestion' }).click();
  await expect(page.getByRole('heading', { name: 'Thanks for the message!' })).toBeVisible();
});

test('feedback goes through the keyboard alone', async ({ page }) => {
  await page.goto('/feedback-form');
  await page.getByLabel('Feedback').focus();
  await page.keyboard.type('The reader is a joy.');
  await page.keyboard.press('Tab');
  await page.keyboard.type('grace@example.com');
  // The field for programs is not on the way.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Send Feedback' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your feedback was submitted.' })).toBeVisible();
});

test('a member with an unconfirmed address is asked to confirm it before inviting', async ({ page, quiet }) => {
  quiet.allow(/status of 403/);
  await newMember(page);
  await page.goto('/home');
  const box = page.getByRole('region', { name: 'One more summary, for a friend' });
  await box.getByRole('button', { name: 'Invite a friend' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a friend' });
  await expect(dialog.getByText('Please confirm your email address first.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Send the email again' }).click();
  await expect(dialog.getByText('The email with the link is on its way.')).toBeVisible();
  await expect(dialog.getByLabel('Your name')).toHaveValue('Ada Reader');
  await dialog.getByLabel('Friend’s name').fill('Bob');
  await dialog.getByLabel('Friend’s email').fill('bob@example.com');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Please confirm your email address first.');
  await expect(dialog.getByLabel('Friend’s name')).toHaveValue('Bob');
});
