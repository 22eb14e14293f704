// Blog, podcast, product pages, plans and prices.
import { check, ready } from '../harness/axe';
import { newMember } from '../harness/people';
import { appReady, pressFarDown } from '../harness/ready';
import { expect, test } from '../harness/watch';

const ADDRESSES = [
  '/blog',
  '/blog/whats-new',
  '/blog/why-old-books',
  '/blog/smith-and-veblen-look-at-a-coat',
  '/podcasts',
  '/podcasts/what-a-candle-knows',
  '/about',
  '/terms',
  '/privacy',
  '/try',
  '/pricing?limit_reached=yes',
  '/teams',
  '/giftcard',
  '/refer',
  '/affiliate',
];

test.describe('with motion off, for axe measures colours', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  for (const address of ADDRESSES) {
    test(`axe finds nothing on ${address}`, async ({ page }) => {
      await check(page, address);
    });
  }
});

test('the app takes the server’s pages over without moving them', async ({ page }) => {
  for (const address of ['/blog', '/blog/why-old-books', '/podcasts', '/about', '/try', '/teams']) {
    await page.goto(address);
    await ready(page);
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
          }).observe({ type: 'layout-shift', buffered: true });
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
        }),
    );
    expect(shift, address).toBeLessThan(0.02);
  }
});

test('going back to the blog, also after a reload, finds the pages and the place', async ({ page }) => {
  // A member's lists are asked for by the app; pages of two make many of few posts.
  await newMember(page);
  await page.route(/\/api\/blog(\?.*)?$/, (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '2');
    return route.continue({ url: url.href });
  });
  await page.goto('/blog');
  const posts = page.locator('.post-list > li');
  await expect(posts).toHaveCount(2);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(posts).toHaveCount(4);
  const before = await pressFarDown(page, posts.last().getByRole('link').first());
  await expect(page).toHaveURL(/\/blog\/.+/);
  await page.goBack();
  await expect(posts).toHaveCount(4);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
  await page.reload();
  await expect(posts).toHaveCount(4);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
});

test('from the blog to a post, by category, back, and on to a book', async ({ page }) => {
  await page.goto('/blog');
  await appReady(page);
  await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Reading' }).click();
  await expect(page).toHaveURL('/blog?category=reading');
  await expect(page.getByRole('heading', { level: 1, name: 'Reading' })).toBeVisible();
  await page.getByRole('link', { name: 'Smith and Veblen look at a coat' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Smith and Veblen look at a coat' })).toBeFocused();
  await expect(page.getByText('November 19, 2026')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Reading' })).toBeVisible();

  await page.goto('/blog/why-old-books');
  await appReady(page);
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  await page.locator('.post__text').getByRole('link', { name: 'On Liberty' }).click();
  await expect(page).toHaveURL('/books/on-liberty');
  expect(await page.evaluate(() => 'stayed' in window), 'a link in a text does not reload the site').toBe(true);
});

test("What's New shows its own posts", async ({ page }) => {
  await page.goto('/blog/whats-new');
  await expect(page.getByRole('heading', { level: 1, name: "What's New" })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Key ideas, drawn' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Why we read old books' })).toHaveCount(0);
});

test('an episode without a recording says so and can be read', async ({ page }) => {
  await page.route('**/api/podcasts/half-a-page-for-the-other-side', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { result: { podcast: Record<string, unknown> } };
    Object.assign(body.result.podcast, { mediaUrl: null, seconds: null });
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto('/podcasts');
  // By the app: the page that the server writes brings its own answer along.
  await appReady(page);
  await page.getByRole('link', { name: 'Half a Page for the Other Side' }).click();
  await expect(page.getByText('The audio is on its way.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Transcript' })).toBeVisible();
});

/** So many seconds of silence, as a WAV file of 8000 samples a second. */
function silence(seconds: number): Buffer {
  const wav = Buffer.alloc(44 + seconds * 8000, 128);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20); // PCM
  wav.writeUInt16LE(1, 22); // mono
  wav.writeUInt32LE(8000, 24);
  wav.writeUInt32LE(8000, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(seconds * 8000, 40);
  return wav;
}

test('an episode plays in the player that stays', async ({ page }) => {
  await page.route('**/api/podcasts/half-a-page-for-the-other-side', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { result: { podcast: Record<string, unknown> } };
    Object.assign(body.result.podcast, { mediaUrl: '/media/podcasts/some-1.mp3', seconds: 300 });
    await route.fulfill({ response: answer, json: body });
  });
  await page.route('**/media/podcasts/some-1.mp3', (route) => route.fulfill({ contentType: 'audio/wav', body: silence(20) }));
  await page.goto('/podcasts');
  // By the app: the page that the server writes brings its own answer along.
  await appReady(page);
  await page.getByRole('link', { name: 'Half a Page for the Other Side' }).click();
  await expect(page.getByRole('link', { name: 'Download' })).toHaveAttribute('href', '/media/podcasts/some-1.mp3?download=');
  await page.getByRole('button', { name: 'Listen' }).click();
  await expect(page.getByRole('region', { name: 'Audio player' })).toContainText('Half a Page for the Other Side');
  await expect(page.getByRole('main').getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.locator('.post__back a').click();
  await expect(page).toHaveURL('/podcasts');
  await expect(page.getByRole('region', { name: 'Audio player' })).toContainText('Half a Page for the Other Side');
  await expect(page.getByRole('article').filter({ hasText: 'Half a Page for the Other Side' }).getByText('Playing')).toBeVisible();
});

test('the pricing page: three plans, one put forward, the charge in words, answers to questions', async ({ page }) => {
  await page.goto('/pricing');
  await appReady(page);
  const offers = page.locator('.offer');
  await expect(offers).toHaveCount(3);
  await expect(page.locator('.offer .button--primary')).toHaveCount(1);
  await expect(page.getByText('Free for 3 days, then $59.99 each year until you turn renewal off.')).toBeVisible();
  await expect(page.getByText('You have used up your free summaries.')).toHaveCount(0);
  const question = page.getByText('How do I cancel?');
  await question.focus();
  const answer = page.getByText(/choose to cancel, pick a reason/);
  await expect(answer).toBeHidden();
  await page.locator('summary', { has: question }).press('Enter');
  await expect(answer).toBeVisible();
  await page.getByRole('link', { name: 'Buy once: Lifetime' }).click();
  await expect(page).toHaveURL('/payment/lifetime');
  await page.goto('/pricing?limit_reached=yes');
  await expect(page.getByRole('status').filter({ hasText: 'You have used up your free summaries.' })).toBeVisible();
});

test('without scripts all of it is there', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) });
  const page = await context.newPage();
  for (const address of ADDRESSES) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect((await page.locator('main').innerText()).length, address).toBeGreaterThan(300);
  }
  await page.goto('/try');
  await page.locator('summary').first().click();
  await expect(page.getByText('Anyone can read the summaries marked as free.')).toBeVisible();
  await context.close();
});

test('what was never written is a real 404, and not offered again', async ({ page, quiet }) => {
  quiet.allow(/status of 404|There is no such/);
  for (const address of ['/blog/nothing-of-the-kind', '/podcasts/nothing-of-the-kind']) {
    expect((await page.goto(address))?.status(), address).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
    await expect(page.getByRole('link', { name: 'Browse book summaries' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  }
});

test('a failed request shows an error, and its retry button loads the blog', async ({ page, quiet }) => {
  quiet.allow(/Failed to load resource|ERR_FAILED|503/);
  await page.goto('/books');
  await appReady(page);
  await page.route('**/api/blog*', (route) => route.fulfill({ status: 503, json: { status: 'error', code: 'busy', error: 'Please try again in a moment.' } }));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blog' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.unroute('**/api/blog*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.post-card').first()).toBeVisible();
});
