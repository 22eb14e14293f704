import { signUp } from './harness/people';
import { startServer } from './harness/server';
import { startMailServer } from './harness/smtp';
import { expect, test } from './harness/watch';

// Two more programs start here, on a machine that is busy already.
test.setTimeout(180_000);

test('mails go out over SMTP, in text and HTML, and their buttons lead back', async ({ browser }) => {
  const mail = await startMailServer();
  const server = await startServer({ SMTP_URL: mail.url, MAIL_FROM: 'Pith <post@pith.example>' });
  const context = await browser.newContext({ baseURL: server.base });
  try {
    const page = await context.newPage();
    const email = await signUp(page);
    const welcome = await mail.mailTo(email, /confirm your address/i);
    expect(welcome.from).toEqual([{ address: 'post@pith.example', name: 'Pith' }]);
    expect(welcome.text).toContain(`${server.base}/confirm-email#`);

    // Read on a phone, the button pressed.
    const phone = await context.newPage();
    await phone.setViewportSize({ width: 390, height: 844 });
    await phone.setContent(welcome.html);
    expect(await phone.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    const button = phone.getByRole('link', { name: 'Confirm my address' });
    await expect(button).toBeVisible();
    await phone.goto((await button.getAttribute('href')) ?? '');
    await phone.getByRole('button', { name: 'Confirm my address' }).click();
    await expect(phone.getByText('Your email address is confirmed.')).toBeVisible();

    await page.goto('/logout');
    await expect(page).toHaveURL(`${server.base}/`);
    await page.goto('/forgot-password');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Reset Password' }).click();
    const reset = await mail.mailTo(email, /choose a new password/i);
    const link = /https?:\S+\/reset-password\/\S+/.exec(reset.text)?.[0] ?? '';
    await page.goto(link);
    await page.getByLabel('New Password', { exact: true }).fill('a morning by the window');
    await page.getByLabel('Confirm New Password').fill('a morning by the window');
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await expect(page.getByText('Your password was changed. You can now login.')).toBeVisible();
    const changed = await mail.mailTo(email, /your password was changed/i);
    expect(changed.html).toContain('forgot-password');
  } finally {
    await context.close();
    await server.stop();
    await mail.stop();
  }
});
