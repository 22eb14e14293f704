// The idea map: links at the end of a key idea, by topic as a drawing and a list, and how editors keep them.
import { check, scanEverywhere } from '../harness/axe';
import { signInAs } from '../harness/people';
import { appReady } from '../harness/ready';
import { expect, test } from '../harness/watch';

test.describe('with motion off, for axe measures colours', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  for (const address of ['/ideas', '/ideas/philosophy', '/ideas/politics?kind=contradicts&book=on-liberty']) {
    test(`axe finds nothing on ${address}`, async ({ page }) => {
      await check(page, address);
    });
  }
});

test('the end of a key idea says what other books say of it, and leads there', async ({ page }) => {
  await page.goto('/books/meditations?section=2');
  await appReady(page);
  const others = page.getByRole('complementary', { name: 'In other books' });
  await expect(others.getByText('This builds on Epictetus')).toBeVisible();
  await scanEverywhere(page, 'what other books say of an idea');
  await page.setViewportSize({ width: 1440, height: 900 });
  await others.getByRole('link', { name: 'An insult needs your cooperation' }).click();
  await expect(page).toHaveURL(/\/books\/the-enchiridion\?section=\d+/);
  await expect(page.getByRole('heading', { level: 2, name: 'An insult needs your cooperation' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'In other books' }).getByText('Marcus Aurelius builds on this')).toBeVisible();
});

test('a topic is a drawing and a list that say the same: a press on a book leaves its links', async ({ page }) => {
  await page.goto('/ideas');
  await appReady(page);
  await page.getByRole('link', { name: /^Philosophy/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ideas in Philosophy' })).toBeVisible();
  const links = page.locator('.idea-links > li');
  const all = await links.count();
  expect(all).toBeGreaterThan(20);
  await expect(page.locator('.idea-map__link')).toHaveCount(all);
  await page.locator('.idea-map').getByText('Meditations').click();
  await expect(page).toHaveURL('/ideas/philosophy?book=meditations');
  // The URL changes a moment before the page does.
  await expect(links).not.toHaveCount(all);
  const left = await links.count();
  expect(left).toBeLessThan(all);
  await expect(page.locator('.idea-map__link--shown')).toHaveCount(left);
  for (const text of await links.allTextContents()) expect(text).toContain('Meditations');
  await page.getByLabel('Kind').selectOption('Contradicts');
  await expect(page).toHaveURL('/ideas/philosophy?book=meditations&kind=contradicts');
  await page.reload();
  await appReady(page);
  await expect(page.locator('.idea-links > .idea-link--contradicts')).toHaveCount(await links.count());
});

test('the page without scripts has the list', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/ideas/philosophy');
  await expect(page.getByRole('heading', { level: 1, name: 'Ideas in Philosophy' })).toBeVisible();
  expect(await page.locator('.idea-links > li').count()).toBeGreaterThan(20);
  await context.close();
});

test('an editor writes a link from a proposal, and readers see it once it is published', async ({ page }) => {
  await signInAs(page, 'editor');
  await page.goto('/admin/idea-link-proposals?book=the-art-of-war');
  await appReady(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Proposed idea links' })).toBeVisible();
  const proposal = page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: /^Write the link/ }) })
    .first();
  await scanEverywhere(page, 'proposed idea links');
  await page.setViewportSize({ width: 1440, height: 900 });
  await proposal.getByRole('link', { name: /^Write the link/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Add idea link' })).toBeVisible();
  await page.getByLabel('Kind').selectOption('agrees');
  await page.getByLabel('Note').fill('Both of them wait for the right moment.');
  await page.getByRole('button', { name: 'Add idea link' }).click();
  await page.getByRole('link', { name: 'Edit it' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const book = await page.request.get('/api/books/the-art-of-war/idea-links');
  expect(await book.text()).not.toContain('Both of them wait');
  await page.getByLabel('Status').selectOption('published');
  await page.getByRole('button', { name: 'Update idea link' }).click();
  await expect(page.getByText('Idea link was updated.')).toBeVisible();
  await expect.poll(async () => (await page.request.get('/api/books/the-art-of-war/idea-links')).text()).toContain('Both of them wait');
});
