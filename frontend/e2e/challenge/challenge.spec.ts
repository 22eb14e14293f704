// The ten-day challenge and getting started on the real server.
import { check, scanEverywhere } from '../harness/axe';
import { mailTo } from '../harness/mails';
import { newAddress, newMember } from '../harness/people';
import { appReady } from '../harness/ready';
import { expect, test } from '../harness/watch';

// Motion off: axe measures colours, and what is half faded in has others.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a visitor gets ten books and a mail, and saving leads to the login after a second', async ({ page }) => {
  const address = newAddress();
  await page.goto('/ten-day-challenge');
  await appReady(page);
  await page.getByRole('button', { name: 'Start the Challenge' }).click();
  const goals = page.getByRole('checkbox');
  await goals.nth(0).check();
  await goals.nth(1).check();
  await goals.nth(2).click();
  await expect(page.getByRole('alert')).toHaveText('You can only pick two goals.');
  await expect(goals.nth(2)).not.toBeChecked();
  await page.getByLabel('Email').fill(address);
  await page.getByRole('button', { name: 'Get My Reading Plan' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your ten days' })).toBeFocused();
  await expect(page.getByRole('link', { name: /^Start Reading/ })).toHaveCount(10);
  await scanEverywhere(page, page.url());
  await expect(page.getByText('Uses one of your free summaries')).toHaveCount(3);
  await expect(page.getByText(/of these 10 days need a plan\./)).toBeVisible();
  const { links } = await mailTo(address, /./);
  expect(links.some((link) => link.endsWith('/ten-day-challenge'))).toBe(true);
  expect(new Set(links.filter((link) => link.includes('/books/'))).size).toBe(10);
  await page.reload();
  await expect(page.getByRole('link', { name: /^Start Reading/ })).toHaveCount(10);
  await page.getByRole('button', { name: 'Save Your Reading Plan' }).click();
  await expect(page).toHaveURL(/\/login\?redirect=%2Ften-day-challenge$/);
});

test('a member saves the plan, and it stays', async ({ page }) => {
  await newMember(page);
  await page.goto('/ten-day-challenge?step=goals');
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Get My Reading Plan' }).click();
  await page.getByRole('button', { name: 'Save Your Reading Plan' }).click();
  await expect(page.getByRole('progressbar', { name: 'Days done' })).toHaveAttribute('aria-valuetext', '0 of 10 days done');
  await expect(page).toHaveURL(/\/ten-day-challenge$/);
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await expect(page.getByRole('link', { name: /^Start Reading/ })).toHaveCount(10);
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Add to your calendar' }).click();
  expect((await file).suggestedFilename()).toBe('ten-day-challenge.ics');
  await page.getByLabel('Hour').selectOption('21:00');
  await page.getByRole('button', { name: 'Send me one email a day' }).click();
  await expect(page.getByText('You will get an email each day at 21:00.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('The book of the day comes by email at 21:00.')).toBeVisible();
  await scanEverywhere(page, page.url());
});

test('six steps lead to five books that fit, and Back leads through them', async ({ page }) => {
  await page.goto('/get-started');
  // The steps have boxes and buttons of the same names: the next press is for the next step only once that is there.
  const atStep = (step: number) => expect(page.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuetext', `Step ${step} of 6`);
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await atStep(2);
  await page.getByRole('checkbox').first().check();
  await page.goBack();
  await atStep(1);
  await expect(page.getByRole('checkbox').first()).toBeChecked();
  await page.goForward();
  await atStep(2);
  await expect(page.getByRole('checkbox').first()).toBeChecked();
  await page.getByRole('button', { name: 'Continue' }).click();
  await atStep(3);
  await page.getByRole('button', { name: 'Continue' }).click();
  await atStep(4);
  await page.getByRole('button', { name: 'Show me' }).click();
  for (let book = 1; book <= 5; book++) {
    await expect(page.getByText(`${book} of 5`, { exact: true })).toBeVisible();
    await page.getByRole('button', { name: book % 2 ? 'I would' : 'Not for me' }).click();
  }
  await expect(page).toHaveURL(/\/secret$/);
  await expect(page.getByRole('region', { name: 'Five books that fit' }).getByRole('article')).toHaveCount(5);
  await scanEverywhere(page, page.url());
});

for (const address of [
  '/ten-day-challenge',
  '/ten-day-challenge?step=goals',
  '/get-started',
  '/get-started?step=2',
  '/get-started?step=3',
  '/get-started?step=5',
  '/secret',
  '/unsubscribe/00',
  '/unsubscribe/00?mails=reminder',
]) {
  test(`axe finds nothing on ${address}`, async ({ page }) => {
    await check(page, address);
  });
}
