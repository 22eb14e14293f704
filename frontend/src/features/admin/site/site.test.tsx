import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallName } from '@/api/types';
import { bannerState, balanceOf, itemOf, statementOf } from '@/features/admin/site/forms';
import type { Banner, Quiz, SitePage } from '@/features/admin/site/queries';
import { signInAs } from '@test/admin';
import { openApp } from '@test/app';
import { failure, on, server } from '@test/server';

let app: ReturnType<typeof openApp> | null = null;
const type = userEvent.setup();
beforeEach(() => signInAs('editor'));
afterEach(() => app?.close());

const published = { published: true, publishAt: null };
const version = { version: 3, updatedAt: Date.UTC(2026, 2, 14), updatedBy: 'Grace Hopper' };
const banner = (more: Partial<Banner> = {}): Banner => ({
  text: 'Over 40% less.',
  linkText: 'See the plans',
  href: '/try',
  from: null,
  until: null,
  on: true,
  shown: true,
  ...version,
  ...more,
});
const sitePage: SitePage = {
  id: 'about',
  path: '/about',
  kind: 'site',
  title: 'About',
  description: 'Who we are.',
  text: '<p>Hello.</p>',
  texts: [],
  ...published,
  ...version,
};
const productPage: SitePage = {
  id: 'try',
  path: '/try',
  kind: 'product',
  title: 'Pricing',
  description: '',
  text: '',
  texts: [
    { name: 'title', label: 'Title', text: 'Pricing', long: false },
    { name: 'block.0.title', label: 'Block 1: title', text: 'Every summary', long: false },
    { name: 'block.0.text', label: 'Block 1: text', text: 'The whole catalogue.', long: true },
  ],
  ...published,
  ...version,
};
const colours = ['Red', 'Yellow', 'Green', 'Blue'];
const quiz = (): Quiz => ({
  questions: Array.from({ length: 15 }, (_, n) => ({ id: n + 1, dimension: colours[n % 4] ?? '', statement: `Statement no ${n + 1}.` })),
  dimensions: colours,
  ...version,
});

const answer = (name: CallName, result: unknown) => on(name, () => result as never);

describe.each([
  ['/admin/banner', 'GET /api/admin/banner'],
  ['/admin/pages', 'GET /api/admin/pages'],
  ['/admin/page-edit/about', 'GET /api/admin/pages/{id}'],
  ['/admin/quiz-questions', 'GET /api/admin/quiz/{kind}'],
] as const)('%s', (address, name) => {
  it('shows why it could not be loaded', async () => {
    server.use(on(name as CallName, () => failure(500, 'internal', 'It broke.')));
    app = openApp(address);
    expect(await screen.findByRole('alert')).toHaveTextContent('It broke.');
  });
});

describe('the banner', () => {
  it('is previewed while it is typed, and saved with its dates and version', async () => {
    const sent: unknown[] = [];
    server.use(
      answer('GET /api/admin/banner', { banner: banner({ from: new Date('2026-11-20T09:00').getTime() }) }),
      on('PUT /api/admin/banner', ({ body }) => {
        sent.push(body);
        return { banner: banner({ text: 'Half price.' }) };
      }),
    );
    app = openApp('/admin/banner');
    const text = await screen.findByLabelText('Text*');
    await type.clear(text);
    await type.type(text, 'Half price.');
    expect(within(screen.getByRole('figure', { name: 'Preview' })).getByText(/Half price\./)).toBeVisible();
    expect(screen.getByLabelText('From')).toHaveValue('2026-11-20T09:00');
    await type.click(screen.getByRole('button', { name: 'Update banner' }));
    expect(await screen.findByText('The banner was updated.')).toBeVisible();
    expect(sent).toEqual([
      { on: true, text: 'Half price.', linkText: 'See the plans', href: '/try', from: new Date('2026-11-20T09:00').getTime(), until: null, version: 3 },
    ]);
  });

  it('says only what is missing first', async () => {
    server.use(answer('GET /api/admin/banner', { banner: banner({ text: '', linkText: '', href: '' }) }));
    app = openApp('/admin/banner');
    await type.click(await screen.findByRole('button', { name: 'Update banner' }));
    expect(screen.getAllByText('Please specify Text.')[0]).toBeVisible();
    expect(screen.queryByText('Please specify Link text.')).toBeNull();
  });

  it.each([
    [{ text: '' }, 'Not written yet'],
    [{ on: false }, 'Off'],
    [{ from: 101 }, 'Not shown yet'],
    [{ from: 100, until: 101 }, 'Shown now'],
    [{ until: 100 }, 'Ended'],
  ])('%o is %s', (more, state) => {
    expect(bannerState(banner(more), 100)).toBe(state);
  });
});

describe('pages', () => {
  it('are listed with their addresses', async () => {
    const pages = [sitePage, productPage].map(({ id, path, kind, title }) => ({ id, path, kind, title, ...published, ...version }));
    server.use(answer('GET /api/admin/pages', { pages }));
    app = openApp('/admin/pages');
    const table = await screen.findByRole('table', { name: 'Pages' });
    expect(within(table).getByRole('link', { name: 'Pricing' })).toHaveAttribute('href', '/admin/page-edit/try');
    expect(within(table).getByText('/about')).toBeVisible();
  });

  it('of products send only the texts that differ', async () => {
    const sent: unknown[] = [];
    server.use(
      answer('GET /api/admin/pages/{id}', { page: productPage }),
      on('PUT /api/admin/pages/{id}', ({ body }) => {
        sent.push(body);
        return { page: productPage };
      }),
    );
    app = openApp('/admin/page-edit/try');
    const title = await screen.findByLabelText('Block 1: title*');
    await type.clear(title);
    await type.type(title, 'All of it');
    await type.click(screen.getByRole('button', { name: 'Update page' }));
    expect(await screen.findByText('The page has been updated.')).toBeVisible();
    expect(sent).toEqual([{ texts: [{ name: 'block.0.title', text: 'All of it' }], ...published, version: 3 }]);
  });

  it('are saved as a draft beside the published text, and the draft is discarded', async () => {
    const sent: unknown[] = [];
    const draft = { ...sitePage, text: '<p>Soon.</p>', published: false, version: 4 };
    server.use(
      answer('GET /api/admin/pages/{id}', { page: sitePage }),
      on('PUT /api/admin/pages/{id}', ({ body }) => {
        sent.push(body);
        server.use(answer('GET /api/admin/pages/{id}', { page: draft }));
        return { page: draft };
      }),
      answer('DELETE /api/admin/pages/{id}/draft', { page: { ...sitePage, version: 5 } }),
    );
    app = openApp('/admin/page-edit/about');
    await type.selectOptions(await screen.findByLabelText('Status*'), 'Draft');
    await type.click(screen.getByRole('button', { name: 'Update page' }));
    expect(await screen.findByText('The page has been updated.')).toBeVisible();
    expect(sent).toEqual([{ title: 'About', description: 'Who we are.', text: '<p>Hello.</p>', published: false, publishAt: null, version: 3 }]);
    expect(await screen.findByText('The site shows the published text until this draft is published.')).toBeVisible();
    server.use(answer('GET /api/admin/pages/{id}', { page: { ...sitePage, version: 5 } }));
    await type.click(screen.getByRole('button', { name: 'Discard draft' }));
    expect(await screen.findByText('The draft was discarded. It is kept among the revisions.')).toBeVisible();
    await waitFor(() => expect(screen.getByLabelText('Status*')).toHaveValue('published'));
    expect(screen.queryByRole('button', { name: 'Discard draft' })).toBeNull();
  });

  it('that another editor saved meanwhile are compared, not overwritten', async () => {
    server.use(
      answer('GET /api/admin/pages/{id}', { page: productPage }),
      on('PUT /api/admin/pages/{id}', () => {
        const texts = productPage.texts.map((one) => (one.name === 'block.0.title' ? { ...one, text: 'Theirs' } : one));
        server.use(answer('GET /api/admin/pages/{id}', { page: { ...productPage, texts, version: 4 } }));
        return failure(409, 'edit_conflict', 'Another version was saved in the meantime. Nothing was changed.');
      }),
    );
    app = openApp('/admin/page-edit/try');
    const title = await screen.findByLabelText('Block 1: title*');
    await type.clear(title);
    await type.type(title, 'Mine');
    await type.click(screen.getByRole('button', { name: 'Update page' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog).toHaveTextContent('Theirs');
    expect(dialog).toHaveTextContent('Mine');
  });
});

describe('quiz questions', () => {
  const open = async (): Promise<unknown[]> => {
    const sent: unknown[] = [];
    server.use(
      answer('GET /api/admin/quiz/{kind}', { quiz: quiz() }),
      on('PUT /api/admin/quiz/{kind}', ({ body }) => {
        sent.push(body);
        return { quiz: quiz() };
      }),
    );
    app = openApp('/admin/quiz-questions?kind=personality');
    await screen.findByLabelText('Statement 1');
    return sent;
  };

  it('are moved by key, removed and added, and saved as a whole', async () => {
    const sent = await open();
    await type.click(screen.getByLabelText('Statement 1'));
    await type.keyboard('{Alt>}{ArrowDown}{/Alt}');
    expect(screen.getByLabelText('Statement 2')).toHaveValue('Statement no 1.');
    await waitFor(() => expect(screen.getByLabelText('Statement 2')).toHaveFocus());
    await type.click(screen.getByRole('button', { name: 'Remove statement 15' }));
    expect(within(screen.getByRole('list', { name: 'Statements by type' })).getByText('Green 3')).toBeVisible();
    await type.click(screen.getByRole('button', { name: 'Add statement' }));
    await type.type(screen.getByLabelText('Statement 15'), 'I am new.');
    await type.click(screen.getByRole('button', { name: 'Update quiz' }));
    expect(await screen.findByText('The quiz was updated.')).toBeVisible();
    const { questions, version: based } = sent[0] as { questions: { id?: number }[]; version: number };
    expect(based).toBe(3);
    expect(questions.map(({ id }) => id)).toEqual([2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, undefined]);
    expect(questions[14]).toEqual({ dimension: 'Green', statement: 'I am new.' });
  });

  it('show the rule that the server refuses them by', async () => {
    await open();
    server.use(on('PUT /api/admin/quiz/{kind}', () => failure(422, 'validation_failed', 'The personality quiz has 15 statements.', { field: 'questions' })));
    await type.click(screen.getByRole('button', { name: 'Remove statement 1' }));
    await type.click(screen.getByRole('button', { name: 'Update quiz' }));
    expect((await screen.findAllByText('The personality quiz has 15 statements.'))[0]).toBeVisible();
  });

  it('are read back from what a list keeps of them', () => {
    const one = { id: '12', dimension: 'Red', statement: 'Now · here.' };
    expect(statementOf(itemOf(one))).toEqual(one);
    expect(statementOf(itemOf({ ...one, id: '' }))).toEqual({ ...one, id: '' });
  });

  it.each([
    [[4, 4, 4, 3], []],
    [[3, 4, 4, 4], []],
    [[4, 4, 4, 4], colours],
    [
      [3, 4, 4, 3],
      ['Red', 'Blue'],
    ],
  ])('of %o per colour are wrong in %o', (counts, wrong) => {
    const statements = counts.flatMap((count, n) => Array.from({ length: count }, () => ({ id: '', dimension: colours[n] ?? '', statement: 'A' })));
    expect(
      balanceOf('personality', colours, statements)
        .filter((one) => one.wrong)
        .map(({ dimension }) => dimension),
    ).toEqual(wrong);
  });
});
