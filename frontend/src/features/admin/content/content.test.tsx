import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallName } from '@/api/types';
import {
  sampleAdminCategory,
  sampleAdminCollection,
  sampleAdminInsight,
  sampleAdminPodcast,
  sampleAdminPost,
  sampleBookDetail,
  sampleBookRow,
  sampleGoal,
  sampleVisual,
  signInAs,
} from '@test/admin';
import { openApp } from '@test/app';
import { failure, on, server } from '@test/server';

let app: ReturnType<typeof openApp>;
const type = userEvent.setup();

beforeEach(() => {
  signInAs('editor');
  server.use(
    on('GET /api/admin/categories', () => ({ categories: [sampleAdminCategory(1), sampleAdminCategory(2)] })),
    on('GET /api/admin/blog', () => ({ posts: [sampleAdminPost(1), sampleAdminPost(2)] })),
    on('GET /api/admin/books', () => ({
      books: [sampleBookRow(4, { title: 'Emma', subid: 'emma' }), sampleBookRow(5, { title: 'Walden', subid: 'walden' })],
      next: null,
      count: 2,
      countCapped: false,
    })),
    on('GET /api/admin/books/{bookId}', () => ({ book: sampleBookDetail({ title: 'Emma' }) })),
  );
});

afterEach(() => app.close());

/** Mocks a call of the table below with the result in its row. */
const answer = (name: CallName, result: unknown) => on(name, () => result as never);

interface Kind {
  name: string;
  list: {
    page: string;
    title: string;
    call: CallName;
    result: unknown;
    none: unknown;
    columns: string[];
    row: [name: string, href: string];
    add: [label: string, href: string];
    /** The message for any failure, where the specification has one. */
    failure?: string;
  };
}

const KINDS: Kind[] = [
  {
    name: 'goals',
    list: {
      page: '/admin/goals',
      title: 'Goals',
      call: 'GET /api/admin/goals',
      result: { goals: [sampleGoal(2), sampleGoal(1)] },
      none: { goals: [] },
      columns: ['Id', 'Title', 'Short title', 'Edit', 'Photo', 'Featured photo', 'Delete'],
      row: ['Goal 2', '/admin/goal-edit/2'],
      add: ['Add goal', '/admin/goal-add'],
    },
  },
  {
    name: 'categories',
    list: {
      page: '/admin/categories',
      title: 'Categories',
      call: 'GET /api/admin/categories',
      result: { categories: [sampleAdminCategory(2), sampleAdminCategory(1)] },
      none: { categories: [] },
      columns: ['Id', 'Name', 'Address', 'Hue', 'Picture', 'Books', 'Edit', 'Delete'],
      row: ['Category 2', '/admin/category-edit/2'],
      add: ['Add category', '/admin/category-add'],
    },
  },
  {
    name: 'collections',
    list: {
      page: '/admin/collections',
      title: 'Collections',
      call: 'GET /api/admin/collections/list',
      result: { status: 'ok', results: [sampleAdminCollection(2), sampleAdminCollection(1)] },
      none: { status: 'ok', results: [] },
      columns: ['Id', 'Title', 'Subtitle', 'Date', 'Edit', 'Delete'],
      row: ['Collection 1', '/admin/collection-edit/1'],
      add: ['Add collection', '/admin/collection-add'],
      failure: 'Error loading collections.',
    },
  },
  {
    name: 'visuals',
    list: {
      page: '/admin/visuals',
      title: 'Visuals',
      call: 'GET /api/admin/visuals',
      result: { visuals: [sampleVisual(2), sampleVisual(1)] },
      none: { visuals: [] },
      columns: ['ID', 'Book ID', 'Title', 'Book', 'Order', 'Edit', 'Photo', 'Delete'],
      row: ['Visual 2', '/admin/visuals-update/2'],
      add: ['Add visual', '/admin/visuals-add'],
    },
  },
  {
    name: 'podcasts',
    list: {
      page: '/admin/podcasts',
      title: 'Podcasts',
      call: 'GET /api/admin/podcasts',
      result: { podcasts: [sampleAdminPodcast(1), sampleAdminPodcast(2)] },
      none: { podcasts: [] },
      columns: ['Id', 'Title', 'Author', 'Recording', 'Status', 'Date', 'Edit', 'Media', 'Photo', 'Delete'],
      row: ['Podcast 2', '/admin/podcasts/2'],
      add: ['Add podcast', '/admin/podcast-add'],
    },
  },
  {
    name: 'blog',
    list: {
      page: '/admin/blog-list',
      title: 'Blog',
      call: 'GET /api/admin/blog',
      result: { posts: [sampleAdminPost(1), sampleAdminPost(2)] },
      none: { posts: [] },
      columns: ['Id', 'Title', 'Categories', 'Status', 'Date Added', 'Edit', 'Photo', 'Delete'],
      row: ['Post 2', '/admin/blog-edit/2'],
      add: ['Add post', '/admin/blog-add'],
    },
  },
  {
    name: 'insights',
    list: {
      page: '/admin/insights',
      title: 'Insights',
      call: 'GET /api/admin/insight',
      result: [1, 2].map((id) => ({ id, title: `Insight ${id}`, createDate: Date.UTC(2026, 2, id) })),
      none: [],
      columns: ['Id', 'Title', 'Date Added', 'Edit', 'Delete'],
      row: ['Insight 2', '/admin/insight-edit/2'],
      add: ['Add insight', '/admin/insight-add'],
    },
  },
];

describe.each(KINDS)('the list of $name', ({ list }) => {
  it('has its columns, its first row and the way to a new one', async () => {
    server.use(answer(list.call, list.result));
    app = openApp(list.page);
    const table = await screen.findByRole('table', { name: list.title });
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(list.columns);
    const [name, href] = list.row;
    const first = within(table).getAllByRole('row')[1];
    expect(first).toHaveTextContent(name);
    expect(within(first as HTMLElement).getByRole('link', { name })).toHaveAttribute('href', href);
    expect(screen.getByRole('link', { name: list.add[0] })).toHaveAttribute('href', list.add[1]);
  });

  it('says how to begin when there is none', async () => {
    server.use(answer(list.call, list.none));
    app = openApp(list.page);
    expect(await screen.findByRole('heading', { name: `No ${list.title.toLowerCase()} yet` })).toBeVisible();
  });

  it('says that it could not be loaded, and tries again', async () => {
    let fails = true;
    server.use(on(list.call, () => (fails ? failure(500, 'internal', 'The server’s own text.') : list.result) as never));
    app = openApp(list.page);
    expect(await screen.findByRole('heading', { name: list.failure ?? 'The server’s own text.' })).toBeVisible();
    fails = false;
    await type.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('table', { name: list.title })).toBeVisible();
  });
});

describe('a list that is whole', () => {
  const open = async (address = '/admin/collections') => {
    server.use(
      on('GET /api/admin/collections/list', () => ({
        status: 'ok',
        results: [
          sampleAdminCollection(10, { title: 'b', uploadDate: 5 }),
          sampleAdminCollection(9, { title: 'C', uploadDate: 9 }),
          sampleAdminCollection(8, { title: 'a', uploadDate: 7 }),
        ],
      })),
    );
    app = openApp(address);
    await screen.findByRole('table');
  };
  const shown = () =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('link')[0]?.textContent);

  it('is sorted upwards by its title first, downwards where a name has Date or Count', async () => {
    await open();
    expect(shown()).toEqual(['a', 'b', 'C']);
    await type.click(screen.getByRole('button', { name: 'Id' }));
    await waitFor(() => expect(shown()).toEqual(['a', 'C', 'b']));
    await type.click(screen.getByRole('button', { name: 'Date' }));
    await waitFor(() => expect(shown()).toEqual(['C', 'a', 'b']));
    expect(app.at()).toBe('/admin/collections?sort=uploadDate&order=desc');
  });

  it('is searched by words and ids', async () => {
    await open('/admin/collections?q=9');
    expect(shown()).toEqual(['C']);
    expect(screen.getByLabelText('Search collections')).toHaveValue('9');
  });
});

interface Form {
  name: string;
  add: string;
  edit: string;
  missing: string;
  post: CallName;
  get: CallName;
  put: CallName;
  /** Builds the response from a record. */
  result: (more: object) => unknown;
  button: [add: string, edit: string];
  added: string;
  edited: string;
  /** The message of the empty form, and the input that fills it. */
  first: string;
  fill: () => Promise<void>;
  sent: object;
  /** A field to clear, the message for that, and its id in the request. */
  field: [label: string, message: string, id: string];
}

const pick = (label: string, words: string) => type.type(screen.getByRole('combobox', { name: label }), words);
const into = (label: string, words: string) => type.type(screen.getByLabelText(label), words);

const FORMS: Form[] = [
  {
    name: 'goal',
    add: '/admin/goal-add',
    edit: '/admin/goal-edit/7',
    missing: 'There is no goal with this id.',
    post: 'POST /api/admin/goals',
    get: 'GET /api/admin/goals/{id}',
    put: 'PUT /api/admin/goals/{id}',
    result: (more) => ({ goal: sampleGoal(7, more) }),
    button: ['Add goal', 'Edit goal'],
    added: 'Goal was added.',
    edited: 'Goal was edited.',
    first: 'Please specify Title.',
    fill: async () => {
      await into('Title*', 'Calm');
      await into('Short title*', 'C');
    },
    sent: { title: 'Calm', shortTitle: 'C', mobileTitle: '', desc: '' },
    field: ['Mobile title*', 'Please specify Mobile title.', 'mobileTitle'],
  },
  {
    name: 'category',
    add: '/admin/category-add',
    edit: '/admin/category-edit/7',
    missing: 'There is no category with this id.',
    post: 'POST /api/admin/categories',
    get: 'GET /api/admin/categories/{id}',
    put: 'PUT /api/admin/categories/{id}',
    result: (more) => ({ category: sampleAdminCategory(7, more) }),
    button: ['Add category', 'Update category'],
    added: 'Category was added.',
    edited: 'Category was updated.',
    first: 'Please specify Name.',
    fill: () => into('Name*', 'Rivers'),
    sent: { name: 'Rivers', hue: 30 },
    field: ['Name*', 'Please specify Name.', 'name'],
  },
  {
    name: 'collection',
    add: '/admin/collection-add',
    edit: '/admin/collection-edit/7',
    missing: 'There is no collection with this id.',
    post: 'POST /api/admin/collections/add',
    get: 'GET /api/admin/collections/detail/{id}',
    put: 'PUT /api/admin/collections/detail/{id}',
    result: (more) => ({ status: 'ok', collection: sampleAdminCollection(7, more) }),
    button: ['Add collection', 'Update collection'],
    added: 'Collection was added.',
    edited: 'Collection was updated.',
    first: 'Please specify Title.',
    fill: async () => {
      await into('Title*', 'Quiet evenings');
      await pick('Categories', 'Category 2{Enter}');
    },
    sent: { title: 'Quiet evenings', subtitle: '', categories: '2', books: [] },
    field: ['Title*', 'Please specify Title.', 'title'],
  },
  {
    name: 'podcast',
    add: '/admin/podcast-add',
    edit: '/admin/podcasts/7',
    missing: 'There is no podcast with this id.',
    post: 'POST /api/admin/podcasts',
    get: 'GET /api/admin/podcasts/{id}',
    put: 'PUT /api/admin/podcasts/{id}',
    result: (more) => ({ podcast: sampleAdminPodcast(7, more) }),
    button: ['Add podcast', 'Update podcast'],
    added: 'Podcast was added.',
    edited: 'Podcast was updated.',
    first: 'Please specify Title.',
    fill: async () => {
      await into('Title*', 'A candle');
      await into('Author*', 'Ada');
      await into('Author description*', 'She speaks.');
      await into('Description*', 'About light.');
    },
    sent: { title: 'A candle', author: 'Ada', authorDesc: 'She speaks.', description: 'About light.', script: '', mins: 0, published: true, publishAt: null },
    field: ['Author*', 'Please specify Author.', 'author'],
  },
  {
    name: 'visual',
    add: '/admin/visuals-add',
    edit: '/admin/visuals-update/7',
    missing: 'There is no visual with this id.',
    post: 'POST /api/admin/visuals',
    get: 'GET /api/admin/visuals/{id}',
    put: 'PUT /api/admin/visuals/{id}',
    result: (more) => ({ visual: sampleVisual(7, more) }),
    button: ['Add visual', 'Edit visual'],
    added: 'The visual was added.',
    edited: 'Visuals was edited.',
    first: 'Please specify Book ID.',
    fill: async () => {
      await pick('Book ID*', 'emm');
      await type.click(await screen.findByRole('option', { name: 'Emma' }));
      await into('Title*', 'Simplify');
      await into('Body*', 'Own less.');
    },
    sent: { bookId: 'emma', title: 'Simplify', body: 'Own less.' },
    field: ['Title*', 'Please specify Title.', 'title'],
  },
  {
    name: 'insight',
    add: '/admin/insight-add',
    edit: '/admin/insight-edit/7',
    missing: 'There is no insight with this id.',
    post: 'POST /api/admin/insight',
    get: 'GET /api/admin/insight/{id}',
    put: 'PUT /api/admin/insight',
    result: (more) => ({ insight: sampleAdminInsight(7, more) }),
    button: ['Add insight', 'Update insight'],
    added: 'Insight was added.',
    edited: 'Insight was updated.',
    first: 'Please specify Quote.',
    fill: async () => {
      await into('Quote*', 'Simplify.');
      await pick('Book*', 'emm');
      await type.click(await screen.findByRole('option', { name: 'Emma' }));
    },
    sent: { insight: 'Simplify.', bookId: 'emma', quoted: false },
    field: ['Quote*', 'Please specify Quote.', 'insight'],
  },
];

describe.each(FORMS)('the form of a $name', (form) => {
  const [, editLabel] = form.button;

  it('adds one: the first failing field is named, and the form gives way to the message', async () => {
    const bodies: unknown[] = [];
    server.use(
      on(form.post, ({ body }) => {
        bodies.push(body);
        return form.result({}) as never;
      }),
    );
    app = openApp(form.add);
    await type.click(await screen.findByRole('button', { name: form.button[0] }));
    expect(screen.getByRole('alert')).toHaveTextContent(form.first);
    expect(bodies).toEqual([]);
    await form.fill();
    await type.click(screen.getByRole('button', { name: form.button[0] }));
    expect(await screen.findByText(form.added, { exact: false })).toBeVisible();
    expect(bodies).toEqual([form.sent]);
    expect(screen.queryByRole('button', { name: form.button[0] })).toBeNull();
  });

  it('changes one with the version that it read', async () => {
    const bodies: unknown[] = [];
    const [label, message, id] = form.field;
    server.use(
      answer(form.get, form.result({})),
      on(form.put, ({ body }) => {
        bodies.push(body);
        return form.result({ [id]: 'Saved', version: 4 }) as never;
      }),
    );
    app = openApp(form.edit);
    await type.clear(await screen.findByLabelText(label));
    await type.click(screen.getByRole('button', { name: editLabel }));
    expect(screen.getByRole('alert')).toHaveTextContent(message);
    await type.type(screen.getByLabelText(label), 'Typed');
    await type.click(screen.getByRole('button', { name: editLabel }));
    expect(await screen.findByText(form.edited)).toBeVisible();
    expect(bodies).toEqual([expect.objectContaining({ [id]: 'Typed', version: 3 })]);
    expect(screen.getByLabelText(label)).toHaveValue('Saved');
  });

  it('shows what another editor saved meanwhile', async () => {
    const [label, , id] = form.field;
    let saved = false;
    server.use(
      on(form.get, () => form.result(saved ? { [id]: 'Theirs', version: 4, updatedBy: 'Ada' } : {}) as never),
      on(form.put, () => {
        saved = true;
        return failure(409, 'edit_conflict', 'It was changed meanwhile.') as never;
      }),
    );
    app = openApp(form.edit);
    await type.type(await screen.findByLabelText(label), ' mine');
    await type.click(screen.getByRole('button', { name: editLabel }));
    const dialog = await screen.findByRole('dialog', { name: 'This was changed in the meantime' });
    expect(dialog).toHaveTextContent('Ada saved it while you were typing.');
    expect(dialog).toHaveTextContent('Theirs');
  });

  it('says when there is none with the id', async () => {
    server.use(on(form.get, () => failure(404, 'not_found', 'There is no such thing.') as never));
    app = openApp(form.edit);
    expect(await screen.findByText(form.missing)).toBeVisible();
  });
});

describe('a post', () => {
  it('is changed by the call with the id in its body', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('GET /api/admin/blog/{postId}', () => ({ post: sampleAdminPost(7) })),
      on('PUT /api/admin/blog', ({ body }) => {
        bodies.push(body);
        return { post: sampleAdminPost(7, { version: 4 }) };
      }),
    );
    app = openApp('/admin/blog-edit/7');
    await type.type(await screen.findByLabelText('Title*'), '!');
    await type.click(screen.getByRole('button', { name: 'Update post' }));
    expect(await screen.findByText('The post has been updated.')).toBeVisible();
    expect(bodies).toEqual([
      {
        id: 7,
        title: 'Post 7!',
        description: 'About it.',
        categories: ['Reading'],
        author: 'The editors',
        text: '<p>A text.</p>',
        published: true,
        publishAt: null,
        version: 3,
      },
    ]);
  });

  it('is previewed, and saved as a draft for a moment', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('GET /api/admin/blog/{postId}', () => ({ post: sampleAdminPost(7, { published: false }) })),
      on('PUT /api/admin/blog', ({ body }) => {
        bodies.push(body);
        return { post: sampleAdminPost(7, { published: false, publishAt: new Date('2030-01-02T09:30').getTime(), version: 4 }) };
      }),
    );
    app = openApp('/admin/blog-edit/7');
    expect(await screen.findByLabelText('Status*')).toHaveValue('draft');
    expect(screen.queryByRole('link', { name: 'See it on the site' })).toBeNull();
    await type.click(screen.getByRole('button', { name: 'Preview' }));
    const preview = await screen.findByRole('article', { name: 'Preview of the post' });
    expect(preview).toHaveTextContent('Post 7The editorsAbout it.A text.');
    await type.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByLabelText('Published at*')).toBeNull();
    await type.selectOptions(screen.getByLabelText('Status*'), 'Scheduled');
    fireEvent.change(await screen.findByLabelText('Published at*'), { target: { value: '2030-01-02T09:30' } });
    await type.click(screen.getByRole('button', { name: 'Update post' }));
    expect(await screen.findByText('The post has been updated.')).toBeVisible();
    expect(bodies).toEqual([expect.objectContaining({ published: false, publishAt: new Date('2030-01-02T09:30').getTime() })]);
  });

  it('has its revisions, which are compared and restored', async () => {
    const bodies: unknown[] = [];
    const row = { id: 11, version: 2, at: 0, by: 'Grace Hopper', changed: ['text', 'title'] };
    server.use(
      on('GET /api/admin/blog/{postId}', () => ({ post: sampleAdminPost(7) })),
      on('GET /api/admin/revisions/{kind}/{id}', () => ({ revisions: [row] })),
      on('GET /api/admin/revisions/{kind}/{id}/{revision}', () => ({
        revision: {
          ...row,
          fields: {
            title: 'Post 6',
            description: 'About it.',
            categories: 'Reading',
            author: 'The editors',
            text: '<p>Another text.</p>',
            published: 'true',
          },
        },
      })),
      on('POST /api/admin/revisions/{kind}/{id}/{revision}/restore', ({ body }) => {
        bodies.push(body);
        return {};
      }),
    );
    app = openApp('/admin/blog-revisions/7?revision=11');
    const table = await screen.findByRole('table', { name: 'Revisions of Post 7' });
    expect(within(table).getByText('Grace Hopper')).toBeVisible();
    const comparison = await screen.findByRole('region', { name: '2 differences from the current version' });
    expect(
      within(comparison)
        .getAllByRole('deletion')
        .map(({ textContent }) => textContent),
    ).toContain('6');
    await type.click(within(comparison).getByRole('button', { name: 'Restore this version' }));
    await waitFor(() => expect(app.at()).toBe('/admin/blog-edit/7'));
    expect(bodies).toEqual([{ version: 3 }]);
  });

  it('says in the list whether it is a draft, scheduled or published', async () => {
    server.use(
      on('GET /api/admin/blog', () => ({
        posts: [
          sampleAdminPost(1, { published: false }),
          sampleAdminPost(2, { published: false, publishAt: new Date('2030-01-02T09:30').getTime() }),
          sampleAdminPost(3),
        ],
      })),
    );
    app = openApp('/admin/blog-list');
    const state = async (name: string) => within((await screen.findByRole('link', { name })).closest('tr') as HTMLElement);
    expect((await state('Post 1')).getAllByText('Draft')[0]).toBeVisible();
    expect((await state('Post 2')).getAllByText(/^From .*2030/)[0]).toBeVisible();
    expect((await state('Post 3')).getAllByText('Published')[0]).toBeVisible();
  });

  it('needs a title, a description, categories and a text', async () => {
    app = openApp('/admin/blog-add');
    const add = async () => type.click(await screen.findByRole('button', { name: 'Add post' }));
    await add();
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify Title.');
    await into('Title*', 'Why');
    await add();
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify Description.');
    await into('Description*', 'Because.');
    await add();
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify Categories.');
    await pick('Categories*', 'Rea{Enter}');
    await add();
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify Text.');
  });
});

describe.each([
  {
    page: '/admin/goals/photo/7',
    get: 'GET /api/admin/goals/{id}',
    row: { goal: sampleGoal(7) },
    post: 'POST /api/admin/goals/photo/{id}',
    heading: 'Photo: Goal 7',
    back: '/admin/goal-edit/7',
    success: 'The photo was uploaded.',
  },
  {
    page: '/admin/goals/featured-photo/7',
    get: 'GET /api/admin/goals/{id}',
    row: { goal: sampleGoal(7, { photo: '/media/goals/a.jpg' }) },
    post: 'POST /api/admin/goals/feature-photo/{id}',
    heading: 'Featured photo: Goal 7',
    back: '/admin/goal-edit/7',
    success: 'The photo was uploaded.',
  },
  {
    page: '/admin/podcast-media/7',
    get: 'GET /api/admin/podcasts/{id}',
    row: { podcast: sampleAdminPodcast(7, { mediaUrl: null }) },
    post: 'POST /api/admin/podcasts/media/{id}',
    heading: 'Media: Podcast 7',
    back: '/admin/podcasts/7',
    success: 'The media was uploaded.',
  },
  {
    page: '/admin/podcast-photo/7',
    get: 'GET /api/admin/podcasts/{id}',
    row: { podcast: sampleAdminPodcast(7, { image: null }) },
    post: 'POST /api/admin/podcasts/photo/{id}',
    heading: 'Photo: Podcast 7',
    back: '/admin/podcasts/7',
    success: 'The photo was uploaded.',
  },
  {
    page: '/admin/blog-photo/7',
    get: 'GET /api/admin/blog/{postId}',
    row: { post: sampleAdminPost(7, { photo: null }) },
    post: 'POST /api/admin/blog/photo/{postId}',
    heading: 'Photo: Post 7',
    back: '/admin/blog-edit/7',
    success: 'The photo was uploaded.',
  },
  {
    page: '/admin/visuals-photo/7',
    get: 'GET /api/admin/visuals/{id}',
    row: { visual: sampleVisual(7) },
    post: 'POST /api/admin/visuals/photo/{id}',
    heading: 'Photo: Visual 7',
    back: '/admin/visuals-update/7',
    success: 'The photo was uploaded.',
  },
] as const)('the upload at $page', ({ page, get, row, post, heading, back, success }) => {
  const send = async () => {
    await type.upload(
      await screen.findByLabelText(heading.split(':')[0] ?? ''),
      new File(['x'], 'x.png', { type: page.includes('media') ? 'audio/mpeg' : 'image/png' }),
    );
    await type.click(screen.getByRole('button', { name: 'Upload' }));
  };
  const refuse = (name: CallName, status: number, code: string, text: string) => on(name, () => failure(status, code, text) as never);

  it('shows what is there, and says that the file was uploaded', async () => {
    server.use(answer(get, row), answer(post, row));
    app = openApp(page);
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeVisible();
    expect(screen.getByText('There is no file yet.')).toBeVisible();
    expect(screen.getByRole('link', { name: /^The / })).toHaveAttribute('href', back);
    await send();
    expect(await screen.findByText(success)).toBeVisible();
  });

  it('says why a file is refused', async () => {
    server.use(answer(get, row), refuse(post, 422, 'validation_failed', 'This is not a picture that can be read.'));
    app = openApp(page);
    await send();
    expect(await screen.findByText('This is not a picture that can be read.')).toBeVisible();
  });

  it('says what is not there', async () => {
    server.use(refuse(get, 404, 'not_found', 'There is no such row.'));
    app = openApp(page);
    expect(await screen.findByText(/^There is no (goal|podcast|post|visual) with this id\.$/)).toBeVisible();
  });
});

describe('the visuals', () => {
  const three = () => [sampleVisual(1), sampleVisual(2), sampleVisual(3, { bookId: 5, bookTitle: 'Walden' })];

  it('no upload without an id greater than 0', async () => {
    app = openApp('/admin/visuals-photo/0');
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull();
  });

  it('moves one within its book, and not out of it', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('GET /api/admin/visuals', () => ({ visuals: three() })),
      on('PUT /api/admin/visuals/order', ({ body }) => {
        bodies.push(body);
        return { visuals: [] };
      }),
    );
    app = openApp('/admin/visuals');
    await type.click(await screen.findByRole('button', { name: 'Move Visual 1 down' }));
    await waitFor(() => expect(bodies).toEqual([{ bookId: 4, visuals: [2, 1] }]));
    expect(screen.getByRole('button', { name: 'Move Visual 1 down' })).toHaveFocus();
    for (const name of ['Move Visual 1 up', 'Move Visual 2 down', 'Move Visual 3 up', 'Move Visual 3 down'])
      expect(screen.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
  });

  it('a deletion can be undone: the server is told once the message has gone', async () => {
    const deleted: string[] = [];
    server.use(
      on('GET /api/admin/visuals', () => ({ visuals: three() })),
      on('DELETE /api/admin/visuals/{id}', ({ request }) => {
        deleted.push(new URL(request.url).pathname);
        return {};
      }),
    );
    app = openApp('/admin/visuals');
    await type.click(await screen.findByRole('button', { name: 'Delete Visual 2' }));
    expect(screen.queryByRole('link', { name: 'Visual 2' })).toBeNull();
    expect(await screen.findByText('The visual “Visual 2” was deleted.')).toBeVisible();
    await type.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('link', { name: 'Visual 2' })).toBeVisible();
    expect(deleted).toEqual([]);
  });
});

interface Deletion {
  kind: string;
  list: [page: string, call: CallName, result: unknown];
  edit: [page: string, call: CallName, result: unknown];
  name: string;
  call: CallName;
}

const DELETIONS: Deletion[] = [
  {
    kind: 'goal',
    list: ['/admin/goals', 'GET /api/admin/goals', { goals: [sampleGoal(7)] }],
    edit: ['/admin/goal-edit/7', 'GET /api/admin/goals/{id}', { goal: sampleGoal(7) }],
    name: 'Goal 7',
    call: 'DELETE /api/admin/goals/{id}',
  },
  {
    kind: 'category',
    list: ['/admin/categories', 'GET /api/admin/categories', { categories: [sampleAdminCategory(7)] }],
    edit: ['/admin/category-edit/7', 'GET /api/admin/categories/{id}', { category: sampleAdminCategory(7) }],
    name: 'Category 7',
    call: 'DELETE /api/admin/categories/{id}',
  },
  {
    kind: 'collection',
    list: ['/admin/collections', 'GET /api/admin/collections/list', { status: 'ok', results: [sampleAdminCollection(7)] }],
    edit: ['/admin/collection-edit/7', 'GET /api/admin/collections/detail/{id}', { status: 'ok', collection: sampleAdminCollection(7) }],
    name: 'Collection 7',
    call: 'DELETE /api/admin/collections/detail/{id}',
  },
  {
    kind: 'podcast',
    list: ['/admin/podcasts', 'GET /api/admin/podcasts', { podcasts: [sampleAdminPodcast(7)] }],
    edit: ['/admin/podcasts/7', 'GET /api/admin/podcasts/{id}', { podcast: sampleAdminPodcast(7) }],
    name: 'Podcast 7',
    call: 'DELETE /api/admin/podcasts/{id}',
  },
  {
    kind: 'post',
    list: ['/admin/blog-list', 'GET /api/admin/blog', { posts: [sampleAdminPost(7)] }],
    edit: ['/admin/blog-edit/7', 'GET /api/admin/blog/{postId}', { post: sampleAdminPost(7) }],
    name: 'Post 7',
    call: 'DELETE /api/admin/blog/{postId}',
  },
  {
    kind: 'insight',
    list: ['/admin/insights', 'GET /api/admin/insight', [{ id: 7, title: 'Insight 7', createDate: 0 }]],
    edit: ['/admin/insight-edit/7', 'GET /api/admin/insight/{id}', { insight: sampleAdminInsight(7, { title: 'Insight 7' }) }],
    name: 'Insight 7',
    call: 'DELETE /api/admin/insight/{id}',
  },
];

describe.each(DELETIONS)('the deletion of a $kind', ({ kind, list, edit, name, call }) => {
  const [page, listCall, rows] = list;
  const text = `The ${kind} “${name}” was deleted.`;

  it('hides it in the list, and Undo brings it back without a call', async () => {
    const asked: string[] = [];
    server.use(
      answer(listCall, rows),
      on(call, ({ request }) => {
        asked.push(request.url);
        return {} as never;
      }),
    );
    app = openApp(page);
    await type.click(await screen.findByRole('button', { name: `Delete ${name}` }));
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole('link', { name })).toBeNull();
    // The focus does not stay on the removed row.
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    const toast = screen.getByText(text).closest<HTMLElement>('.toast');
    await type.click(within(toast as HTMLElement).getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('link', { name })).toBeVisible();
    expect(asked).toEqual([]);
  });

  it('is sent when the page is left, and a refused one comes back', async () => {
    const asked: string[] = [];
    server.use(
      answer(listCall, rows),
      answer(edit[1], edit[2]),
      on(call, ({ request }) => {
        asked.push(new URL(request.url).pathname.split('/').at(-1) ?? '');
        return failure(409, 'in_use', `Something stands on ${name}.`) as never;
      }),
    );
    app = openApp(edit[0]);
    await type.click(await screen.findByRole('button', { name: `Delete this ${kind}` }));
    expect((await screen.findAllByText(text)).at(-1)).toBeVisible();
    expect(app.at()).toBe(page);
    window.dispatchEvent(new Event('pagehide'));
    expect(await screen.findByText(`It was not deleted. Something stands on ${name}.`)).toBeVisible();
    expect(asked).toEqual(['7']);
    expect(await screen.findByRole('link', { name })).toBeVisible();
  });
});

describe.each([
  {
    kind: 'goals',
    page: '/admin/goals',
    list: 'GET /api/admin/goals',
    result: { goals: [sampleGoal(1), sampleGoal(2), sampleGoal(3)] },
    order: 'PUT /api/admin/goals/order',
    name: 'Goal',
  },
  {
    kind: 'categories',
    page: '/admin/categories',
    list: 'GET /api/admin/categories',
    result: { categories: [sampleAdminCategory(1), sampleAdminCategory(2), sampleAdminCategory(3)] },
    order: 'PUT /api/admin/categories/order',
    name: 'Category',
  },
] as const)('the order of $kind', ({ page, list, result, order, name }) => {
  const shown = () => screen.getAllByRole('button', { name: /^Move / }).map((button) => button.getAttribute('aria-label'));

  it('is changed by key, read out, and saved as a whole', async () => {
    const bodies: unknown[] = [];
    server.use(
      answer(list, result),
      on(order, ({ body }) => {
        bodies.push(body);
        return result as never;
      }),
    );
    app = openApp(page);
    await type.click(await screen.findByRole('button', { name: 'Change the order' }));
    const handle = screen.getByRole('button', { name: `Move ${name} 1, 1 of 3` });
    handle.focus();
    await type.keyboard('{ArrowUp}');
    expect(shown()[0]).toBe(`Move ${name} 1, 1 of 3`);
    await type.keyboard('{ArrowDown}');
    expect(screen.getByText(`${name} 1: 2 of 3`)).toBeInTheDocument();
    // The focus moves with the item.
    expect(screen.getByRole('button', { name: `Move ${name} 1, 2 of 3` })).toHaveFocus();
    await type.keyboard('{End}');
    expect(shown()).toEqual([`Move ${name} 2, 1 of 3`, `Move ${name} 3, 2 of 3`, `Move ${name} 1, 3 of 3`]);
    await type.click(screen.getByRole('button', { name: 'Save the order' }));
    expect(await screen.findByRole('table')).toBeVisible();
    expect(bodies).toEqual([{ ids: [2, 3, 1] }]);
  });

  it('says what was refused, and Cancel leaves it', async () => {
    server.use(
      answer(list, result),
      on(order, () => failure(409, 'edit_conflict', 'Another editor added or deleted one in the meantime.') as never),
    );
    app = openApp(page);
    await type.click(await screen.findByRole('button', { name: 'Change the order' }));
    screen.getByRole('button', { name: `Move ${name} 3, 3 of 3` }).focus();
    await type.keyboard('{Home}');
    await type.click(screen.getByRole('button', { name: 'Save the order' }));
    expect(await screen.findByText('Another editor added or deleted one in the meantime.')).toBeVisible();
    await type.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByRole('table')).toBeVisible();
  });
});

describe('the books of a collection', () => {
  const books = [
    { id: 1, title: 'One', author: 'Ada' },
    { id: 2, title: 'Two', author: 'Bob' },
  ];

  it('have their titles also when they come back from a draft', async () => {
    app = openApp('/admin/collection-add');
    await type.type(await screen.findByRole('combobox', { name: 'Books' }), 'Wal');
    await type.click(await screen.findByRole('option', { name: /^Walden by/ }));
    app.close();
    app = openApp('/admin/collection-add');
    await type.click(await screen.findByRole('button', { name: 'Restore' }));
    expect(await within(screen.getByRole('list', { name: 'Chosen books in their order' })).findByText(/^Walden by/)).toBeVisible();
  });

  it('are found by typing, moved by key and taken out', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('GET /api/admin/collections/detail/{id}', () => ({ status: 'ok', collection: sampleAdminCollection(7, { books }) })),
      on('PUT /api/admin/collections/detail/{id}', ({ body }) => {
        bodies.push(body);
        return { status: 'ok', collection: sampleAdminCollection(7, { books, version: 4 }) };
      }),
    );
    app = openApp('/admin/collection-edit/7');
    const list = await screen.findByRole('list', { name: 'Chosen books in their order' });
    await type.type(screen.getByRole('combobox', { name: 'Books' }), 'emm');
    await type.click(await screen.findByRole('option', { name: 'Emma by Ada Writer' }));
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['One by Ada', 'Two by Bob', 'Emma by Ada Writer']);
    within(list).getByRole('button', { name: 'Move Emma by Ada Writer, 3 of 3' }).focus();
    await type.keyboard('{Home}');
    expect(screen.getByText('Emma by Ada Writer: 1 of 3')).toBeInTheDocument();
    await type.click(within(list).getByRole('button', { name: 'Remove One by Ada' }));
    await type.click(screen.getByRole('button', { name: 'Update collection' }));
    expect(await screen.findByText('Collection was updated.')).toBeVisible();
    expect(bodies).toEqual([expect.objectContaining({ books: [4, 2], version: 3 })]);
  });

  it('are compared by their titles, when another editor saved others meanwhile', async () => {
    let saved = false;
    server.use(
      on('GET /api/admin/collections/detail/{id}', () => ({
        status: 'ok',
        collection: sampleAdminCollection(7, saved ? { books: [{ id: 3, title: 'Three', author: 'Cy' }], version: 4, updatedBy: 'Ada' } : { books }),
      })),
      on('PUT /api/admin/collections/detail/{id}', () => {
        saved = true;
        return failure(409, 'edit_conflict', 'It was changed meanwhile.') as never;
      }),
    );
    app = openApp('/admin/collection-edit/7');
    await type.type(await screen.findByRole('combobox', { name: 'Books' }), 'emm');
    await type.click(await screen.findByRole('option', { name: 'Emma by Ada Writer' }));
    await type.click(screen.getByRole('button', { name: 'Update collection' }));
    const choice = within(await screen.findByRole('dialog', { name: 'This was changed in the meantime' })).getByRole('group', { name: 'Books' });
    expect(within(choice).getByText('One by Ada, Two by Bob, Emma by Ada Writer')).toBeVisible();
    expect(within(choice).getByText('Three by Cy')).toBeVisible();
    expect(within(screen.getByRole('list', { name: 'Chosen books in their order', hidden: true })).getByText('One by Ada')).toBeInTheDocument();
  });
});
