import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { changedItems } from '@/features/admin/books/bulk';
import { NEW_BOOK, changeOf, valuesOf } from '@/features/admin/books/bookFields';
import { beginningOf } from '@/features/admin/books/previewText';
import { uploadFailure } from '@/features/admin/components/UploadPage';
import { sampleAdminTag, sampleBookDetail, sampleBookRow, signInAs } from '@test/admin';
import type { SampleBook } from '@test/admin';
import { openApp } from '@test/app';
import { sampleCategories } from '@test/samples';
import { failure, ok, on, server } from '@test/server';

let app: ReturnType<typeof openApp>;
const type = userEvent.setup();

afterEach(() => app.close());

function signIn(role: 'editor' | 'admin' = 'editor') {
  signInAs(role);
  server.use(
    on('GET /api/categories', () => ({ categories: sampleCategories() })),
    on('GET /api/goals', () => ({ goals: [], userGoals: [], userBookRecommendations: [] })),
  );
}

describe('the list of books', () => {
  it('is an editor’s too: titles with authors, sorted by the headers through the URL', async () => {
    const asked: string[] = [];
    signIn();
    server.use(
      on('GET /api/admin/books', ({ request }) => {
        asked.push(new URL(request.url).search);
        return { books: [sampleBookRow(2), sampleBookRow(1, { published: false })], next: null, count: 2, countCapped: false };
      }),
    );
    app = openApp('/admin/books-list?state=draft');
    expect(await screen.findByRole('link', { name: 'Book 2 by Ada Writer' })).toHaveAttribute('href', '/admin/book-edit/2');
    expect(screen.queryByRole('link', { name: 'Users' })).toBeNull();
    await type.click(screen.getByRole('button', { name: 'Title' }));
    await waitFor(() => expect(asked.at(-1)).toBe('?order=asc&sort=title&state=draft'));
    await waitFor(() => expect(screen.getByRole('columnheader', { name: 'Title' })).toHaveAttribute('aria-sort', 'ascending'));
    await type.click(screen.getByRole('button', { name: 'Title' }));
    await waitFor(() => expect(asked.at(-1)).toBe('?order=desc&sort=title&state=draft'));
    await waitFor(() => expect(screen.getByRole('columnheader', { name: 'Title' })).toHaveAttribute('aria-sort', 'descending'));
    // The table was not unmounted meanwhile.
    expect(screen.getByRole('button', { name: 'Title' })).toHaveFocus();
    expect(asked[0]).toBe('?state=draft');
  });

  it('says when there is none', async () => {
    signIn();
    server.use(on('GET /api/admin/books', () => ({ books: [], next: null, count: 0, countCapped: false })));
    app = openApp('/admin/books-list?q=none');
    expect(await screen.findByRole('heading', { name: 'No books found.' })).toBeVisible();
  });

  it.each([
    ['no JSON', () => new HttpResponse('<h1>Hello</h1>')],
    ['no result', () => HttpResponse.json({ status: 'ok' })],
    ['no list', () => ok({ books: {} })],
    ['rows that are no books', () => ok({ books: [{ name: 'A book' }], next: null, count: 1, countCapped: false })],
  ])('says that the response is not what it should be: %s (admin.unexpected-response)', async (_, answer) => {
    signIn();
    server.use(on('GET /api/admin/books', answer));
    app = openApp('/admin/books-list');
    expect(await screen.findByRole('heading', { name: 'Unexpected response format.' })).toBeVisible();
  });

  it('says that the network failed, and no more (admin.network-failure)', async () => {
    signIn();
    server.use(on('GET /api/admin/books', () => HttpResponse.error()));
    app = openApp('/admin/books-list');
    expect(await screen.findByRole('heading', { name: 'There was an error processing your request.' })).toBeVisible();
  });

  it('changes many at once, each with its version, and names what was refused', async () => {
    const sent: unknown[] = [];
    signIn();
    server.use(
      on('GET /api/admin/books', () => ({ books: [sampleBookRow(2), sampleBookRow(1)], next: null, count: 2, countCapped: false })),
      on('PUT /api/admin/books/{bookId}', ({ request, body }) => {
        sent.push([new URL(request.url).pathname, body]);
        return request.url.endsWith('/1') ? failure(409, 'edit_conflict', 'It was changed meanwhile.') : { book: sampleBookDetail() };
      }),
    );
    app = openApp('/admin/books-list');
    await type.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    await type.click(screen.getByRole('button', { name: 'Unpublish' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('1 book not changed.Book 1: It was changed meanwhile.');
    expect(sent).toEqual([
      ['/api/admin/books/2', { published: false, version: 3 }],
      ['/api/admin/books/1', { published: false, version: 3 }],
    ]);
    // Those that were not changed stay chosen.
    expect(screen.getByRole('checkbox', { name: 'Select Book 1' })).toBeChecked();
    expect(screen.getByRole('checkbox', { name: 'Select Book 2' })).not.toBeChecked();
  });

  const chooseAll = async () => {
    app = openApp('/admin/books-list');
    await type.click(await screen.findByRole('checkbox', { name: 'Select all' }));
  };

  it('adds categories to the chosen books, and saves only those that change (admin.bulk-books)', async () => {
    const sent: unknown[] = [];
    signIn();
    server.use(
      on('GET /api/admin/books', () => ({
        books: [sampleBookRow(2, { categories: [1] }), sampleBookRow(1, { categories: [2, 1] })],
        next: null,
        count: 2,
        countCapped: false,
      })),
      on('PUT /api/admin/books/{bookId}', ({ request, body }) => {
        sent.push([new URL(request.url).pathname, body]);
        return { book: sampleBookDetail() };
      }),
    );
    await chooseAll();
    await type.click(screen.getByRole('button', { name: 'Categories' }));
    const dialog = await screen.findByRole('dialog', { name: 'Categories of 2 books' });
    await type.click(within(dialog).getByRole('button', { name: 'Add to 2 books' }));
    expect(within(dialog).getByText('Please specify Categories.')).toBeVisible();
    await type.type(within(dialog).getByRole('combobox', { name: 'Categories' }), 'Science{Enter}');
    await type.click(within(dialog).getByRole('button', { name: 'Add to 2 books' }));
    expect(await screen.findByText('2 books changed.')).toBeVisible();
    expect(sent).toEqual([['/api/admin/books/2', { categories: [1, 2], version: 3 }]]);
    expect(screen.queryByRole('group', { name: 'Change the selected books' })).toBeNull();
    expect(screen.getByRole('heading', { level: 1, name: 'Books' })).toHaveFocus();
  });

  it('removes tags with the version that it read (admin.bulk-books)', async () => {
    const sent: unknown[] = [];
    signIn();
    server.use(
      on('GET /api/admin/books', () => ({ books: [sampleBookRow(2)], next: null, count: 1, countCapped: false })),
      on('GET /api/admin/tags', () => ({ tags: [sampleAdminTag(1, { name: 'Courage' })], next: null, count: 1, countCapped: false })),
      on('GET /api/admin/books/{bookId}', () => ({ book: sampleBookDetail({ tags: ['courage', 'home'], version: 8 }) })),
      on('PUT /api/admin/books/{bookId}', ({ body }) => {
        sent.push(body);
        return { book: sampleBookDetail() };
      }),
    );
    await chooseAll();
    await type.click(screen.getByRole('button', { name: 'Tags' }));
    const dialog = await screen.findByRole('dialog', { name: 'Tags of 1 book' });
    await type.click(within(dialog).getByRole('radio', { name: 'Remove' }));
    await type.click(within(dialog).getByRole('combobox', { name: 'Tags' }));
    await type.click(await within(dialog).findByRole('option', { name: 'Courage' }));
    await type.click(within(dialog).getByRole('button', { name: 'Remove from 1 book' }));
    expect(await screen.findByText('1 book changed.')).toBeVisible();
    expect(sent).toEqual([{ tags: ['home'], version: 8 }]);
  });

  it('asks before it deletes, says how many, and names what stays and why (admin.bulk-books)', async () => {
    const deleted: string[] = [];
    let rows = [sampleBookRow(2), sampleBookRow(1)];
    signIn();
    server.use(
      on('GET /api/admin/books', () => ({ books: rows, next: null, count: rows.length, countCapped: false })),
      on('DELETE /api/admin/books/{bookId}', ({ request }) => {
        deleted.push(new URL(request.url).pathname);
        if (request.url.endsWith('/1')) return failure(409, 'in_use', 'Members have opened this book.');
        rows = rows.filter(({ id }) => id !== 2);
        return {};
      }),
    );
    await chooseAll();
    await type.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete 2 books?' });
    expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus();
    expect(dialog).toHaveTextContent('Book 2 by Ada Writer');
    expect(deleted).toEqual([]);
    await type.click(within(dialog).getByRole('button', { name: 'Delete 2 books' }));
    expect(await screen.findByText('1 book deleted.')).toBeVisible();
    expect(deleted).toEqual(['/api/admin/books/2', '/api/admin/books/1']);
    expect(await screen.findByRole('alert')).toHaveTextContent('1 book not deleted.Book 1: Members have opened this book.');
    expect(screen.queryByRole('checkbox', { name: 'Select Book 2' })).toBeNull();
  });
});

describe('items that are added to or removed from a list', () => {
  it('keep their order, and are null when nothing changes', () => {
    expect(changedItems([3, 1], [2, 3], 'add')).toEqual([3, 1, 2]);
    expect(changedItems([3, 1], [1], 'add')).toBeNull();
    expect(changedItems([3, 1, 2], [1, 9], 'remove')).toEqual([3, 2]);
    expect(changedItems([3], [1], 'remove')).toBeNull();
    expect(changedItems(['Home'], ['home'], 'add', (tag) => tag.toLowerCase())).toBeNull();
  });
});

describe('a book', () => {
  const open = async (more: Partial<SampleBook> = {}) => {
    signIn();
    server.use(on('GET /api/admin/books/{bookId}', () => ({ book: sampleBookDetail(more) })));
    app = openApp('/admin/book-edit/4');
    await screen.findByLabelText('Title*');
  };

  it('is updated with its version, and the answer is shown', async () => {
    await open();
    const bodies: unknown[] = [];
    server.use(
      on('PUT /api/admin/books/{bookId}', ({ body }) => {
        bodies.push(body);
        return { book: sampleBookDetail({ title: 'Emma (cleaned)', version: 4 }) };
      }),
    );
    await type.type(screen.getByLabelText('Title*'), '!');
    expect(screen.getByText(/^Not saved/)).toBeVisible();
    await type.click(screen.getByRole('button', { name: 'Update book' }));
    expect(await screen.findByText('Book was updated.')).toBeVisible();
    expect(bodies[0]).toMatchObject({
      title: 'Emma!',
      author: 'Jane Austen',
      categories: [1],
      quotes: [{ text: 'I may have lost my heart.', chapter: 'Two' }],
      published: true,
      version: 3,
    });
    expect(screen.getByLabelText('Title*')).toHaveValue('Emma (cleaned)');
    expect(screen.queryByText(/^Not saved/)).toBeNull();
  });

  it('is typed in a rich text whose sections are headings of level 3', async () => {
    await open();
    const text = await screen.findByRole('textbox', { name: 'Body' });
    expect(within(text).getByRole('heading', { level: 3, name: 'One' })).toBeVisible();
    expect(screen.getByRole('toolbar', { name: 'Formatting of Body' })).toBeVisible();
  });

  /** Types into the book's title, and leaves the page as a reload does. */
  const typeAndLeave = async (text: string) => {
    await type.type(screen.getByLabelText('Title*'), text);
    window.dispatchEvent(new Event('pagehide'));
    app.close();
  };
  const offer = () => screen.queryByText(/^You have unsaved changes from /);

  it('offers what was typed before a reload, and restores it (admin.draft-offer)', async () => {
    await open();
    expect(offer()).toBeNull();
    await typeAndLeave(' and more');
    await open();
    expect(screen.getByLabelText('Title*')).toHaveValue('Emma');
    expect(offer()).toBeVisible();
    await type.click(screen.getByRole('button', { name: 'Restore' }));
    expect(screen.getByLabelText('Title*')).toHaveValue('Emma and more');
    expect(offer()).toBeNull();
    expect(await screen.findByText('Not saved · Draft kept on this device')).toBeVisible();
    expect(document.activeElement).toHaveClass('record-form');
    // Saving removes it.
    server.use(on('PUT /api/admin/books/{bookId}', () => ({ book: sampleBookDetail({ title: 'Emma and more', version: 4 }) })));
    await type.click(screen.getByRole('button', { name: 'Update book' }));
    expect(await screen.findByText('Book was updated.')).toBeVisible();
    expect(Object.keys(localStorage).filter((key) => key.startsWith('record-draft:'))).toEqual([]);
  });

  it('discards what was typed before a reload, which can be undone', async () => {
    await open();
    await typeAndLeave(' and more');
    await open();
    await type.click(screen.getByRole('button', { name: 'Discard' }));
    expect(offer()).toBeNull();
    expect(Object.keys(localStorage).filter((key) => key.startsWith('record-draft:'))).toEqual([]);
    // The rich text has an Undo of its own.
    await type.click(within(screen.getByText('The unsaved changes were discarded.')).getByRole('button', { name: 'Undo' }));
    expect(offer()).toBeVisible();
    await type.click(screen.getByRole('button', { name: 'Discard' }));
    app.close();
    await open();
    expect(offer()).toBeNull();
  });

  it('asks which value to keep when the record was changed in the meantime (admin.draft-restore)', async () => {
    await open();
    await typeAndLeave(' and more');
    queryClient.clear();
    await open({ title: 'Emma: A Novel', author: 'J. Austen', version: 4, updatedBy: 'Grace' });
    expect(offer()).toHaveTextContent('Grace has saved this since then.');
    await type.click(screen.getByRole('button', { name: 'Restore' }));
    let dialog = await screen.findByRole('dialog', { name: 'This was changed in the meantime' });
    expect(dialog).toHaveTextContent('Grace saved it after you typed. Choose what to keep: nothing is saved yet.');
    await type.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(screen.getByLabelText('Title*')).toHaveValue('Emma: A Novel');
    await type.click(screen.getByRole('button', { name: 'Restore' }));
    dialog = await screen.findByRole('dialog', { name: 'This was changed in the meantime' });
    expect(within(dialog).getAllByRole('group')).toHaveLength(1);
    await type.click(within(dialog).getByRole('button', { name: 'Restore this' }));
    expect(screen.getByLabelText('Title*')).toHaveValue('Emma and more');
    expect(screen.getByLabelText('Author*')).toHaveValue('J. Austen');
    // It is saved as a change of the version that the editor has seen.
    const bodies: unknown[] = [];
    server.use(
      on('PUT /api/admin/books/{bookId}', ({ body }) => {
        bodies.push(body);
        return { book: sampleBookDetail({ version: 5 }) };
      }),
    );
    await type.click(screen.getByRole('button', { name: 'Update book' }));
    await waitFor(() => expect(bodies).toHaveLength(1));
    expect(bodies[0]).toMatchObject({ title: 'Emma and more', author: 'J. Austen', version: 4 });
  });

  it('keeps the page and what is typed when the session ends, and offers it after a login elsewhere (admin.draft-owner)', async () => {
    await open();
    await type.type(screen.getByLabelText('Title*'), ' and more');
    act(() => session.end('ended'));
    expect(await screen.findByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
    expect(app.at()).toBe('/admin/book-edit/4');
    expect(screen.getByLabelText('Title*')).toHaveValue('Emma and more');
    app.close();
    await open();
    expect(offer()).toBeVisible();
  });

  it('says what happens to unsaved changes before the page is left', async () => {
    await open();
    await type.type(screen.getByLabelText('Title*'), '!');
    await act(() => app.router.navigate('/admin/books-list'));
    const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' });
    expect(dialog).toHaveTextContent('They stay on this device, and you can restore them when you come back.');
    await type.click(within(dialog).getByRole('button', { name: 'Stay' }));
    await act(() => app.router.navigate('/logout'));
    expect(await screen.findByRole('dialog', { name: 'Leave without saving?' })).toHaveTextContent('logging out removes them from this device.');
  });

  it('that was never saved is offered too', async () => {
    signIn();
    app = openApp('/admin/book-add');
    await type.type(await screen.findByLabelText('Title*'), 'Emma');
    app.close();
    signIn();
    app = openApp('/admin/book-add');
    await type.click(await screen.findByRole('button', { name: 'Restore' }));
    expect(screen.getByLabelText('Title*')).toHaveValue('Emma');
  });

  it('is previewed as a visitor, as a member, and on a phone', async () => {
    await open();
    await type.click(screen.getByRole('button', { name: 'Preview' }));
    const dialog = await screen.findByRole('dialog', { name: 'Preview' });
    expect(dialog).toHaveTextContent('A visitor can read up to here');
    await type.click(within(dialog).getByRole('radio', { name: 'Paid' }));
    expect(dialog).not.toHaveTextContent('can read up to here');
    await type.click(within(dialog).getByRole('radio', { name: 'Phone' }));
    expect(within(dialog).getByRole('article')).toHaveClass('preview__frame--phone');
  });

  it('asks for a time only when it is published at one', async () => {
    await open();
    expect(screen.queryByLabelText('Published at*')).toBeNull();
    await type.selectOptions(screen.getByLabelText('Status*'), 'scheduled');
    expect(screen.getByLabelText('Published at*')).toBeVisible();
  });

  it('is added with a title, an author and categories, and the form gives way to the message', async () => {
    signIn();
    const bodies: unknown[] = [];
    server.use(
      on('POST /api/admin/books', ({ body }) => {
        bodies.push(body);
        return { book: sampleBookDetail({ id: 9 }) };
      }),
    );
    app = openApp('/admin/book-add');
    await type.click(await screen.findByRole('button', { name: 'Add book' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify Title.');
    await type.type(screen.getByLabelText('Title*'), 'Emma');
    await type.type(screen.getByLabelText('Author*'), 'Jane Austen');
    await type.click(screen.getByRole('button', { name: 'Add book' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify Categories.');
    await type.type(screen.getByRole('combobox', { name: 'Categories*' }), 'sci{Enter}');
    await type.click(screen.getByRole('button', { name: 'Add book' }));
    expect(await screen.findByText('Book was added.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Edit it' })).toHaveAttribute('href', '/admin/book-edit/9');
    expect(screen.queryByLabelText('Title*')).toBeNull();
    expect(bodies[0]).toMatchObject({ title: 'Emma', categories: [2], published: false, publishAt: null });
  });

  it('is compared with an older version and brought back', async () => {
    signIn();
    const restored: unknown[] = [];
    server.use(
      on('GET /api/admin/books/{bookId}', () => ({ book: sampleBookDetail() })),
      on('GET /api/admin/books/{bookId}/revisions', () => ({
        revisions: [{ id: 11, version: 2, at: 0, by: null, title: 'Emmeline', words: 3, changed: ['title'] }],
      })),
      on('GET /api/admin/books/{bookId}/revisions/{id}', () => ({
        revision: { id: 11, version: 2, at: 0, by: null, title: 'Emmeline', words: 3, changed: ['title'], book: sampleBookDetail({ title: 'Emmeline' }) },
      })),
      on('POST /api/admin/books/{bookId}/revisions/{id}/restore', ({ body }) => {
        restored.push(body);
        return { book: sampleBookDetail({ title: 'Emmeline' }) };
      }),
    );
    app = openApp('/admin/book-revisions/4?revision=11');
    expect(await screen.findByRole('heading', { name: '1 difference from the current version' })).toBeVisible();
    expect(document.querySelector('.diff del')).toHaveTextContent('Emmeline');
    expect(document.querySelector('.diff ins')).toHaveTextContent('Emma');
    await type.click(screen.getByRole('button', { name: 'Restore this version' }));
    await waitFor(() => expect(app.at()).toBe('/admin/book-edit/4'));
    expect(restored).toEqual([{ version: 3 }]);
  });
});

describe('what of a book is sent', () => {
  it('is what was read, when nothing was changed', () => {
    const book = sampleBookDetail({ publishAt: new Date(2999, 0, 2, 3, 4).getTime(), published: false });
    const { title, author, body, quotes, categories, tags, free, published, publishAt, year, subid } = book;
    expect(changeOf(valuesOf(book), 3)).toMatchObject({ title, author, body, quotes, categories, tags, free, published, publishAt, year, subid, version: 3 });
    expect(changeOf(NEW_BOOK, null)).not.toHaveProperty('version');
  });
});

describe('the preview', () => {
  it('ends at a paragraph after 15% of the text, never at a heading', () => {
    const paragraph = `<p>${'word '.repeat(20)}</p>`;
    expect(beginningOf(`<h3>One</h3>${paragraph.repeat(10)}`)).toBe(`<h3>One</h3>${paragraph.repeat(2)}`);
  });
});

describe('the files of a book', () => {
  it.each([
    ['photo', 'Photo'],
    ['vector', 'Vector'],
    ['infographic', 'Infographic'],
    ['media', 'Media'],
    ['podcast', 'Podcast'],
    ['video', 'Video'],
  ])('have a page for the %s', async (name, label) => {
    signIn();
    server.use(on('GET /api/admin/books/{bookId}', () => ({ book: sampleBookDetail() })));
    app = openApp(`/admin/book-${name}/4`);
    expect(await screen.findByRole('heading', { level: 1, name: `${label}: Emma` })).toBeVisible();
    expect(screen.getByLabelText(label)).toBeEnabled();
    expect(screen.getByRole('link', { name: 'The book' })).toHaveAttribute('href', '/admin/book-edit/4');
  });

  it('show a drawing as it would be stored, and what is removed of it', async () => {
    signIn();
    server.use(
      on('GET /api/admin/books/{bookId}', () => ({ book: sampleBookDetail() })),
      on('POST /api/admin/drawings/clean', () => ({ svg: '<svg xmlns="http://www.w3.org/2000/svg"></svg>', removed: ['onload', 'script'] })),
    );
    app = openApp('/admin/book-vector/4');
    await type.upload(await screen.findByLabelText('Vector'), new File(['<svg/>'], 'key.svg', { type: 'image/svg+xml' }));
    expect(await screen.findByRole('img', { name: 'The drawing as it is stored' })).toHaveAttribute(
      'src',
      expect.stringContaining('data:image/svg+xml,%3Csvg'),
    );
    expect(screen.getByText(/Removed, because it could run, load or link to something: onload, script\./)).toBeVisible();
  });

  it.each([
    ['timeout', 'Upload failed. The upload timed out. Please try again with a smaller file or better internet connection.', 'An error occurred.'],
    ['network', 'No response from server. Please check your internet connection.', 'An error occurred.'],
    ['cancelled', null, null],
  ])('say what a failure without an answer means: %s', (code, text, infographic) => {
    const error = new ApiError({ status: 0, code, message: 'raw' });
    expect(uploadFailure(error)).toBe(text);
    expect(uploadFailure(error, 'infographic')).toBe(code === 'timeout' ? text : infographic);
  });

  it('let an uploaded infographic go, and say what readers see then', async () => {
    let there: string | null = '/media/infographics/emma-uploaded-1a.jpg';
    signIn();
    server.use(
      on('GET /api/admin/books/{bookId}', () => ({ book: sampleBookDetail({ infographicUrl: there }) })),
      on('DELETE /api/admin/books/infographic/{id}', () => {
        there = null;
        return { book: sampleBookDetail() };
      }),
    );
    app = openApp('/admin/book-infographic/4');
    expect(await screen.findByRole('img', { name: 'Infographic now' })).toBeVisible();
    await type.click(screen.getByRole('button', { name: 'Remove the infographic' }));
    const dialog = await screen.findByRole('dialog', { name: 'Remove the infographic?' });
    expect(dialog).toHaveTextContent('If there is an infographic drawn from the key ideas, readers see that one instead');
    await type.click(within(dialog).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('There is no file yet.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Remove the infographic' })).toBeNull();
  });

  it('show the server’s own text, or what the specification has instead', () => {
    expect(uploadFailure(new ApiError({ status: 422, code: 'validation_failed', message: 'This is no picture.' }))).toBe('This is no picture.');
    expect(uploadFailure(new ApiError({ status: 502, code: 'unreadable', message: 'Bad Gateway' }))).toBe('Bad Gateway');
    expect(uploadFailure(new ApiError({ status: 502, code: 'unreadable', message: 'Bad Gateway' }), 'infographic')).toBe('Upload failed.');
    expect(uploadFailure(new Error('x'))).toBe('Upload failed. Please try again.');
  });
});
