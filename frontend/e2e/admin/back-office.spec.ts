import { readFileSync } from 'node:fs';
import { ready, scanEverywhere } from '../harness/axe';
import { newAddress, register, signInAs } from '../harness/people';
import { expect, test } from '../harness/watch';

/** What Word puts on the clipboard. */
const wordClipboard = readFileSync(new URL('../../src/ui/records/paste/clipboards/word.html', import.meta.url), 'utf8');

test('an editor keeps the books and is refused the rest', async ({ page }) => {
  await signInAs(page, 'editor');
  await page.goto('/admin');
  const rail = page.getByRole('navigation', { name: 'Back office' });
  await expect(rail.getByRole('link', { name: 'Books' })).toBeVisible();
  await expect(rail.getByRole('link', { name: 'Users' })).toHaveCount(0);
  for (const address of ['/admin/users', '/admin/audit', '/admin/messages']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: 'You do not have access to this page.' })).toBeVisible();
  }
});

test('an admin finds a member, changes the name, and the audit log has it', async ({ page }) => {
  const email = await register(newAddress());
  await signInAs(page, 'admin');
  await page.goto('/admin/users');
  await page.getByRole('heading', { level: 1, name: 'Users' }).click();
  await page.keyboard.press('/');
  await page.keyboard.type(email);
  await page.getByRole('link', { name: `Edit ${email}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^User #\d+$/ })).toBeVisible();
  await page.getByLabel('First name*').fill('Grace');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('User was updated.')).toBeVisible();
  await page.getByLabel('Last name*').fill('');
  await page.getByRole('button', { name: 'Update user' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please specify Last name.');
  // Leaving what is not saved is asked about.
  await page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible();
  const entry = page.getByRole('listitem').filter({ hasText: 'changed' }).filter({ hasText: 'first name' }).first();
  await entry.getByRole('button').click();
  await expect(entry.getByRole('deletion')).toHaveText('Ada');
  await expect(entry.getByRole('insertion')).toHaveText('Grace');
});

test('the palette leads to a member by a part of the address', async ({ page }) => {
  await signInAs(page, 'admin');
  await page.goto('/admin');
  await expect(page.getByRole('heading', { level: 1, name: 'Back office' })).toBeVisible();
  await ready(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Where to?' }).fill('regular@exam');
  await page.getByRole('option', { name: 'regular@example.com' }).click();
  await expect(page.getByLabel('E-mail*')).toHaveValue('regular@example.com');
});

test('a book goes from nothing to published, and a visitor reads it', async ({ page, browser }) => {
  const title = `A Book of ${Math.random().toString(36).slice(2, 8)}`;
  await signInAs(page, 'editor');
  await page.goto('/admin/book-add');
  await page.getByLabel('Title*').fill(title);
  await page.getByLabel('Author*').fill('Ada Writer');
  await page.getByRole('combobox', { name: 'Categories*' }).fill('phil');
  await expect(page.getByRole('option', { name: 'Philosophy' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add book' }).click();
  await expect(page.getByText('Book was added.')).toBeVisible();
  await page.getByRole('link', { name: 'Edit it' }).click();

  const body = page.getByRole('textbox', { name: 'Body' });
  await body.click();
  await body.evaluate((element, html) => {
    const data = new DataTransfer();
    data.setData('text/html', html);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, wordClipboard);
  await expect(body.getByRole('heading', { level: 3 })).toHaveText(['The Quiet Hour', 'Why we hurry']);
  await expect(body.locator(':scope > ul').first().locator(':scope > li')).toHaveText(['Walkwithout a phoneand without a goal', 'Sleep']);
  await expect(body.locator(':scope > ul').last()).toHaveText('Habit: Walking; Minutes a day: 30');
  await page.getByLabel('Free for everyone').check();
  await page.getByLabel('Status*').selectOption('Published');
  await page.getByRole('button', { name: 'Update book' }).click();
  await expect(page.getByText('Book was updated.')).toBeVisible();
  const address = await page.getByRole('link', { name: 'See it on the site' }).getAttribute('href');

  await page.getByRole('link', { name: 'Photo' }).click();
  const picture = await page.screenshot({ type: 'png' });
  await page.getByLabel('Photo', { exact: true }).setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: picture });
  await page.getByRole('button', { name: 'Upload' }).click();
  await expect(page.getByText('The photo was uploaded.')).toBeVisible();

  const visitor = await browser.newPage();
  await visitor.goto(address ?? '');
  await expect(visitor.getByRole('heading', { name: title }).first()).toBeVisible();
  await visitor.close();

  await page.goto(`/admin/books-list?q=${encodeURIComponent(title)}`);
  await page.getByRole('checkbox', { name: `Select ${title}` }).check();
  await page.getByRole('button', { name: 'Unpublish' }).click();
  await expect(page.getByText('1 book changed.')).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(title) })).toContainText('Draft');
});

test('two editors of one book: the second compares, and nothing is lost', async ({ page, browser, quiet }) => {
  quiet.allow(/status of 409/);
  await signInAs(page, 'editor');
  await page.goto('/admin/books-list?q=walden');
  const link = page.getByRole('link', { name: /^Walden by/ });
  const address = (await link.getAttribute('href')) ?? '';
  const other = await (await browser.newContext()).newPage();
  await signInAs(other, 'admin');
  await Promise.all([page.goto(address), other.goto(address)]);
  const mine = `Mine ${Math.random()}`;
  const theirs = `Theirs ${Math.random()}`;
  await page.getByLabel('About the author').fill(mine);
  await other.getByLabel('About the author').fill(theirs);
  await other.getByRole('button', { name: 'Update book' }).click();
  await expect(other.getByText('Book was updated.')).toBeVisible();
  await other.context().close();
  await page.getByRole('button', { name: 'Update book' }).click();
  const dialog = page.getByRole('dialog', { name: 'This was changed in the meantime' });
  await expect(dialog).toContainText(mine);
  await expect(dialog).toContainText(theirs);
  await dialog.getByRole('button', { name: 'Save this' }).click();
  await expect(page.getByText('Book was updated.')).toBeVisible();
  await expect(page.getByLabel('About the author')).toHaveValue(mine);
});

/** A title that no other test uses. */
const titled = (what: string) => `${what} of ${Math.random().toString(36).slice(2, 8)}`;

test('an editor changes a goal and a category, and makes a collection that visitors find', async ({ page, browser }) => {
  await signInAs(page, 'editor');
  await page.goto('/admin/goals');
  // Another one than back-office-files.spec.ts gives a picture: of two changes at once the second would be asked to compare.
  await page.getByRole('link', { name: 'Build better habits', exact: true }).click();
  await page.getByLabel('Mobile title*').fill('');
  await page.getByRole('button', { name: 'Edit goal' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please specify Mobile title.');
  await page.getByLabel('Mobile title*').fill('Build habits');
  await page.getByLabel('Description').fill(titled('Habits'));
  await page.getByRole('button', { name: 'Edit goal' }).click();
  await expect(page.getByText('Goal was edited.')).toBeVisible();

  await page.goto('/admin/categories');
  await page.getByRole('button', { name: 'Name' }).click();
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.getByLabel('Hue*').fill('a few');
  await page.getByRole('button', { name: 'Update category' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please make sure Hue is greater or equal to 0.');
  await page.getByLabel('Hue*').fill('146');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Category was updated.')).toBeVisible();

  const title = titled('A Shelf');
  await page.goto('/admin/collections');
  await page.getByRole('link', { name: 'Add collection' }).click();
  await page.getByLabel('Title*').fill(title);
  await page.getByRole('combobox', { name: 'Categories' }).fill('phil');
  await expect(page.getByRole('option', { name: 'Philosophy' })).toBeVisible();
  await page.keyboard.press('Enter');
  // Closes the options, which stay open for more.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add collection' }).click();
  await expect(page.getByText('Collection was added.')).toBeVisible();
  await page.getByRole('link', { name: 'Edit it' }).click();
  const address = await page.getByRole('link', { name: 'See it on the site' }).getAttribute('href');
  const visitor = await browser.newPage();
  await visitor.goto(address ?? '');
  await expect(visitor.getByRole('heading', { name: title }).first()).toBeVisible();
  await visitor.close();
});

test('an editor keeps the podcasts, the blog and the insights', async ({ page }) => {
  await signInAs(page, 'editor');
  await page.goto('/admin/podcasts');
  await page.getByRole('link', { name: 'What a Candle Knows', exact: true }).click();
  const author = titled('The editors');
  await page.getByLabel('Author description').fill(author);
  await page.getByRole('button', { name: 'Update podcast' }).click();
  await expect(page.getByText('Podcast was updated.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Author description')).toHaveValue(author);

  await page.goto('/admin/blog-list');
  await page.getByRole('link', { name: 'Key ideas, drawn', exact: true }).click();
  const text = page.getByRole('textbox', { name: 'Text*' });
  await text.click();
  await page.keyboard.type('Here is more. ');
  await page.getByRole('button', { name: 'Update post' }).click();
  await expect(page.getByText('The post has been updated.')).toBeVisible();
  await expect(text).toContainText('Here is more.');

  const quote = titled('Simplify, by the river');
  await page.goto('/admin/insights');
  await page.getByRole('link', { name: 'Add insight' }).click();
  await page.getByLabel('Quote*').fill(quote);
  await page.getByRole('combobox', { name: 'Book*' }).fill('walden');
  await page.getByRole('option', { name: 'Walden', exact: true }).click();
  await page.getByRole('button', { name: 'Add insight' }).click();
  await expect(page.getByText('Insight was added.')).toBeVisible();
  await page.getByRole('link', { name: 'Edit it' }).click();
  await expect(page.getByLabel('Quote*')).toHaveValue(quote);
});

test('axe finds nothing in the back office’s areas', async ({ page }) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signInAs(page, 'admin');
  await page.goto('/admin/books-list');
  const edit = (await page.getByRole('link', { name: /^Walden by/ }).getAttribute('href')) ?? '';
  for (const address of [
    '/admin/books-list',
    '/admin/book-add',
    edit,
    edit.replace('edit', 'revisions'),
    edit.replace('edit', 'photo'),
    '/admin/users',
    '/admin/user-edit/1',
    '/admin/audit',
  ]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await ready(page);
    await scanEverywhere(page, address);
  }
});

test('axe finds nothing on the pages of what stands around the books', async ({ page }) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signInAs(page, 'admin');
  for (const address of [
    '/admin/goals',
    '/admin/goal-add',
    '/admin/goal-edit/1',
    '/admin/goals/photo/1',
    '/admin/goals/featured-photo/1',
    '/admin/categories',
    '/admin/category-edit/1',
    '/admin/collections',
    '/admin/collection-edit/1',
    '/admin/podcasts',
    '/admin/podcast-add',
    '/admin/podcasts/1',
    '/admin/podcast-media/1',
    '/admin/podcast-photo/1',
    '/admin/blog-list',
    '/admin/blog-add',
    '/admin/insights',
    '/admin/insight-edit/1',
    '/admin/visuals-update/1',
    '/admin/page-edit/try',
    '/admin/banner',
    '/admin/quiz-questions',
    '/admin/authors',
    '/admin/author-edit/1',
  ]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await ready(page);
    await scanEverywhere(page, address);
  }
  await page.getByRole('button', { name: 'Merge with another author' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await scanEverywhere(page, 'the dialog that merges two authors');
});
