// The quizzes on the real server: both of them answered, results of visitors and members, and the report.
import type { Page } from '@playwright/test';
import { check, scanEverywhere } from '../harness/axe';
import { newMember, signInAs } from '../harness/people';
import { expect, test } from '../harness/watch';

// Motion off: axe measures colours, and what is half faded in has others.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** Answers all statements by key; `isTrue` says which of them, from 0, are true. */
async function answer(page: Page, address: string, questions: number, isTrue: (at: number) => boolean): Promise<void> {
  await page.goto(address);
  for (let at = 0; at < questions; at++) {
    await expect(page.getByText(`${at + 1} of ${questions}`, { exact: true })).toBeVisible();
    await page.keyboard.press(isTrue(at) ? 't' : 'f');
  }
  await expect(page.getByRole('heading', { name: 'All answered' })).toBeFocused();
}

test('a visitor answers the intelligence quiz by key, sees the shares, and a later sign-up keeps them', async ({ page }) => {
  await answer(page, '/quiz', 18, (at) => at === 0);
  await page.getByRole('link', { name: 'See your results' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'You are strongest in Linguistic' })).toBeVisible();
  const shares = page.getByRole('list', { name: 'Your shares' }).getByRole('listitem');
  await expect(shares).toHaveCount(9);
  await expect(shares.first()).toContainText('50%');
  await expect(page.getByRole('link', { name: 'Open the report for $2.99' })).toHaveAttribute('href', '/payment/quiz?redirect=%2Fquiz-results');
  await scanEverywhere(page, page.url());
  await page.reload();
  await expect(shares).toHaveCount(9);
  // The session's result outlives the sign-in.
  const kept = await page.evaluate(() => sessionStorage.getItem('quiz-result-intelligence'));
  await newMember(page);
  await page.evaluate((result) => sessionStorage.setItem('quiz-result-intelligence', result ?? ''), kept);
  // The page shows the session's result before the account has it.
  const given = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/api/quiz/intelligence/results') && response.ok(),
  );
  await page.goto('/quiz-results');
  await expect(page.getByRole('heading', { level: 1, name: 'You are strongest in Linguistic' })).toBeVisible();
  await given;
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'You are strongest in Linguistic' })).toBeVisible();
});

test('the personality quiz is answered by its buttons, and a reload goes on where it was', async ({ page }) => {
  await page.goto('/personality-quiz');
  await page.getByRole('button', { name: 'True' }).click();
  await expect(page.getByText('2 of 15', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText('2 of 15', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText('1 of 15', { exact: true })).toBeVisible();
});

test('a subscriber reads the detailed report', async ({ page }) => {
  await signInAs(page, 'paid');
  await answer(page, '/personality-quiz', 15, (at) => at === 0);
  await page.getByRole('link', { name: 'See your results' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your color is Red' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your detailed report' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Watch out for' }).first()).toBeVisible();
  const report = page.waitForEvent('download');
  await page.getByRole('button', { name: 'PDF' }).click();
  expect((await report).suggestedFilename()).toBe('Your personality report.pdf');
  const picture = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Share as a picture' }).click();
  expect((await picture).suggestedFilename()).toBe('my-personality.png');
  await scanEverywhere(page, page.url());
});

for (const address of ['/quiz', '/quiz-results', '/personality-quiz']) {
  test(`axe finds nothing on ${address}`, async ({ page }) => {
    await check(page, address);
  });
}
