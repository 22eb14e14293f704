import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleAdminAuthor, sampleAdminTag, signInAs } from '@test/admin';
import { openApp } from '@test/app';
import { failure, on, server } from '@test/server';

let app: ReturnType<typeof openApp>;
const type = userEvent.setup();

beforeEach(() => signInAs('editor'));
afterEach(() => app.close());

describe('the list of authors', () => {
  it('has their books, is searched through the URL, and deletes those without books only', async () => {
    const asked: string[] = [];
    server.use(
      on('GET /api/admin/authors', ({ request }) => {
        asked.push(new URL(request.url).search);
        return {
          authors: [sampleAdminAuthor(1, { name: 'Ada' }), sampleAdminAuthor(2, { name: 'Bob', bookCount: 0, readableCount: 0 })],
          count: 2,
          countCapped: false,
          next: null,
        };
      }),
    );
    app = openApp('/admin/authors');
    const table = await screen.findByRole('table', { name: 'Authors' });
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Id', 'Name', 'Address', 'Books', 'Published', 'Edit', 'Delete']);
    expect(within(table).getByRole('link', { name: 'Ada' })).toHaveAttribute('href', '/admin/author-edit/1');
    expect(screen.queryByRole('button', { name: 'Delete Ada' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Delete Bob' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Add author' })).toHaveAttribute('href', '/admin/author-add');
    await type.selectOptions(screen.getByLabelText('Books'), 'Without books');
    await waitFor(() => expect(asked.at(-1)).toBe('?unused=true'));
    await type.type(screen.getByLabelText('Search authors'), 'bo');
    await waitFor(() => expect(app.at()).toBe('/admin/authors?unused=true&q=bo'));
    expect(asked.at(-1)).toBe('?q=bo&unused=true');
  });

  it('says when there is none, and when it could not be loaded', async () => {
    let fails = true;
    server.use(
      on('GET /api/admin/authors', () =>
        fails ? failure(500, 'internal', 'The server’s own text.') : { authors: [], count: 0, countCapped: false, next: null },
      ),
    );
    app = openApp('/admin/authors');
    expect(await screen.findByRole('heading', { name: 'The server’s own text.' })).toBeVisible();
    fails = false;
    await type.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'No authors yet' })).toBeVisible();
  });
});

describe('the list of tags', () => {
  it('has how many books have each, and comes by pages', async () => {
    server.use(
      on('GET /api/admin/tags', ({ request }) =>
        new URL(request.url).searchParams.get('after') === '1'
          ? { tags: [sampleAdminTag(2)], count: 2, countCapped: false, next: null }
          : { tags: [sampleAdminTag(1)], count: 2, countCapped: false, next: '1' },
      ),
    );
    app = openApp('/admin/tags');
    const table = await screen.findByRole('table', { name: 'Tags' });
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Id', 'Name', 'Address', 'Books', 'Edit', 'Delete']);
    await type.click(screen.getByRole('button', { name: 'Load More' }));
    expect(await within(table).findByRole('link', { name: 'tag 2' })).toHaveAttribute('href', '/admin/tag-edit/2');
  });
});

describe('an author', () => {
  it('is added', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('POST /api/admin/authors', ({ body }) => {
        bodies.push(body);
        return { author: sampleAdminAuthor(7) };
      }),
    );
    app = openApp('/admin/author-add');
    await type.click(await screen.findByRole('button', { name: 'Add author' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify Name.');
    await type.type(screen.getByLabelText('Name*'), 'W. E. B. Du Bois');
    await type.type(screen.getByLabelText('Name in the directory'), 'Du Bois, W. E. B.');
    await type.click(screen.getByRole('button', { name: 'Add author' }));
    expect(await screen.findByText('Author was added.', { exact: false })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Edit it' })).toHaveAttribute('href', '/admin/author-edit/7');
    expect(bodies).toEqual([{ name: 'W. E. B. Du Bois', sortName: 'Du Bois, W. E. B.', description: '' }]);
  });

  it('is changed with the version that was read; a name that is taken is told at its field', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('GET /api/admin/authors/{id}', () => ({ author: sampleAdminAuthor(7) })),
      on('PUT /api/admin/authors/{id}', ({ body }) => {
        bodies.push(body);
        return bodies.length === 1
          ? failure(409, 'already_there', 'There is already one with this name. Merge the two instead.', { field: 'name' })
          : { author: sampleAdminAuthor(7, { name: 'Ada Byron', version: 4 }) };
      }),
    );
    app = openApp('/admin/author-edit/7');
    const name = await screen.findByLabelText('Name*');
    await type.type(name, '!');
    await type.click(screen.getByRole('button', { name: 'Update author' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('There is already one with this name. Merge the two instead.');
    await type.click(screen.getByRole('button', { name: 'Update author' }));
    expect(await screen.findByText('Author was updated.')).toBeVisible();
    expect(bodies).toEqual([1, 2].map(() => ({ name: 'Author 7!', sortName: '', description: '', version: 3 })));
    // An author with books can't be deleted.
    expect(screen.queryByRole('button', { name: 'Delete this author' })).toBeNull();
  });
});

describe.each([
  { kind: 'author' as const, label: 'Same author as', edit: '/admin/author-edit', name: 'Author 7', other: 'Author 8 (2 books)', kept: 'Author 8' },
  { kind: 'tag' as const, label: 'Same tag as', edit: '/admin/tag-edit', name: 'tag 7', other: 'tag 8 (2 books)', kept: 'tag 8' },
])('the merge of an $kind', ({ kind, label, edit, name, other, kept }) => {
  it('asks which one stays, and goes to it', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('GET /api/admin/authors', () => ({ authors: [sampleAdminAuthor(7), sampleAdminAuthor(8)], count: 2, countCapped: false, next: null })),
      on('GET /api/admin/tags', () => ({ tags: [sampleAdminTag(7), sampleAdminTag(8)], count: 2, countCapped: false, next: null })),
      on('GET /api/admin/authors/{id}', ({ request }) => ({ author: sampleAdminAuthor(request.url.endsWith('8') ? 8 : 7) })),
      on('GET /api/admin/tags/{id}', ({ request }) => ({ tag: sampleAdminTag(request.url.endsWith('8') ? 8 : 7) })),
      on('POST /api/admin/authors/{id}/merge', ({ body }) => {
        bodies.push(body);
        return { author: sampleAdminAuthor(8, { bookCount: 4 }) };
      }),
      on('POST /api/admin/tags/{id}/merge', ({ body }) => {
        bodies.push(body);
        return { tag: sampleAdminTag(8, { bookCount: 4 }) };
      }),
    );
    app = openApp(`${edit}/7`);
    await type.click(await screen.findByRole('button', { name: `Merge with another ${kind}` }));
    const dialog = await screen.findByRole('dialog', { name: `Merge ${name}` });
    expect(dialog).toHaveTextContent('2 books will be moved.');
    const merge = within(dialog).getByRole('button', { name: `Merge into this ${kind}` });
    await type.click(merge);
    expect(await within(dialog).findByText(`Please specify the ${kind} to keep.`)).toBeVisible();
    await type.click(within(dialog).getByRole('combobox', { name: label }));
    // An author can't be merged with itself.
    expect((await within(dialog).findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([other]);
    await type.click(within(dialog).getByRole('option', { name: other }));
    await type.click(merge);
    expect(await screen.findByText(`“${name}” was merged into “${kept}”.`)).toBeVisible();
    expect(await screen.findByRole('heading', { level: 1, name: kept })).toBeVisible();
    expect(app.at()).toBe(`${edit}/8`);
    expect(bodies).toEqual([{ into: 8, version: 3 }]);
  });
});
