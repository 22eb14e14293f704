import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkForm, noteRoom } from '@/features/admin/content/ideaLinks/forms';
import type { IdeaLink, LinkedIdea, Proposal } from '@/features/admin/content/ideaLinks/queries';
import { subjectPath } from '@/features/admin/log/describe';
import { sampleBookRow, signInAs } from '@test/admin';
import { openApp } from '@test/app';
import { failure, on, server } from '@test/server';

const WALDEN: LinkedIdea = { bookId: 5, subid: 'walden', bookTitle: 'Walden', author: 'Henry David Thoreau', idea: 'Own less', section: 1 };
const EMMA: LinkedIdea = { bookId: 4, subid: 'emma', bookTitle: 'Emma', author: 'Jane Austen', idea: 'Guess less', section: 2 };

const sampleLink = (id: number, more: Partial<IdeaLink> = {}): IdeaLink => ({
  id,
  from: WALDEN,
  to: EMMA,
  kind: 'builds-on',
  note: 'Both ask for restraint.',
  state: 'published',
  version: 3,
  updatedAt: 0,
  updatedBy: 'Grace Editor',
  ...more,
});

const sampleProposal = (toIdea: string, more: Partial<Proposal> = {}): Proposal => ({
  from: WALDEN,
  to: { ...EMMA, idea: toIdea },
  likeness: 0.637,
  terms: ['less', 'want'],
  ...more,
});

const page = (links: IdeaLink[], next: string | null = null) => ({ links, count: links.length, countCapped: false, next });

/** In each list of handlers before the one with `{id}`, which would match it too. */
const ideasOfBooks = () =>
  on('GET /api/admin/idea-links/ideas', ({ request }) => ({
    ideas: new URL(request.url).searchParams.get('bookId') === 'walden' ? ['Own less', 'Wake early', 'Wake early'] : ['Guess less', 'Listen more'],
  }));

let app: ReturnType<typeof openApp>;
const type = userEvent.setup();

beforeEach(() => {
  signInAs('editor');
  server.use(
    on('GET /api/admin/books', () => ({
      books: [sampleBookRow(4, { title: 'Emma', subid: 'emma' }), sampleBookRow(5, { title: 'Walden', subid: 'walden' })],
      next: null,
      count: 2,
      countCapped: false,
    })),
    ideasOfBooks(),
  );
});
afterEach(() => app.close());

describe('the list of idea links', () => {
  it('has both ideas with their books, says in words what a link is, and where a heading is gone', async () => {
    server.use(
      on('GET /api/admin/idea-links', () => page([sampleLink(2), sampleLink(1, { to: { ...EMMA, section: null }, kind: 'contradicts', state: 'dismissed' })])),
    );
    app = openApp('/admin/idea-links');
    const table = await screen.findByRole('table', { name: 'Idea links' });
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Id', 'First idea', 'Kind', 'Second idea', 'Status', 'Edit', 'Delete']);
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell'));
    expect(rows.map((cells) => cells.slice(2, 5).map(({ textContent }) => textContent))).toEqual([
      ['Builds on', 'Guess lessEmma', 'Published'],
      ['Contradicts', 'Guess lessEmmaHeading is gone', 'Dismissed'],
    ]);
    expect(within(table).getAllByRole('link', { name: 'Own less' })[0]).toHaveAttribute('href', '/admin/idea-link-edit/2');
    expect(within(table).getAllByRole('link', { name: 'Edit: Own less – Guess less' })[1]).toHaveAttribute('href', '/admin/idea-link-edit/1');
    expect(screen.getByRole('link', { name: 'Add idea link' })).toHaveAttribute('href', '/admin/idea-link-add');
    expect(screen.getByRole('link', { name: 'Proposed idea links' })).toHaveAttribute('href', '/admin/idea-link-proposals');
  });

  it('is searched and filtered through the URL', async () => {
    const asked: string[] = [];
    server.use(
      on('GET /api/admin/idea-links', ({ request }) => {
        asked.push(new URL(request.url).search);
        return page([sampleLink(1)]);
      }),
    );
    app = openApp('/admin/idea-links?kind=unheard-of');
    await screen.findByRole('table');
    expect(asked).toEqual(['']);
    await type.selectOptions(screen.getByLabelText('Status'), 'Draft');
    await type.selectOptions(screen.getByLabelText('Kind'), 'Builds on');
    await type.selectOptions(screen.getByLabelText('Headings'), 'Heading is gone');
    await type.type(screen.getByLabelText('Search idea links'), 'less');
    await waitFor(() => expect(app.at()).toBe('/admin/idea-links?kind=builds-on&state=draft&lost=true&q=less'));
    await waitFor(() => expect(asked.at(-1)).toBe('?kind=builds-on&lost=true&q=less&state=draft'));
  });

  it('comes by pages', async () => {
    server.use(
      on('GET /api/admin/idea-links', ({ request }) =>
        new URL(request.url).searchParams.get('after') === '2' ? page([sampleLink(1)]) : page([sampleLink(2)], '2'),
      ),
    );
    app = openApp('/admin/idea-links');
    await type.click(await screen.findByRole('button', { name: 'Load More' }));
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(3));
  });

  it('leads to the proposals when there is none, and says when it could not be loaded or nothing is found', async () => {
    let fails = true;
    server.use(on('GET /api/admin/idea-links', () => (fails ? failure(500, 'internal', 'The server’s own text.') : page([]))));
    app = openApp('/admin/idea-links');
    expect(await screen.findByRole('heading', { name: 'The server’s own text.' })).toBeVisible();
    fails = false;
    await type.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'No idea links yet' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'See the proposals' })).toHaveAttribute('href', '/admin/idea-link-proposals');
    await type.selectOptions(screen.getByLabelText('Status'), 'Draft');
    expect(await screen.findByRole('heading', { name: 'No idea links found.' })).toBeVisible();
  });

  it('hides a deleted one; without Undo the server deletes it', async () => {
    const deleted: string[] = [];
    server.use(
      on('GET /api/admin/idea-links', () => page([sampleLink(7)])),
      on('DELETE /api/admin/idea-links/{id}', ({ request }) => {
        deleted.push(new URL(request.url).pathname);
        return {};
      }),
    );
    app = openApp('/admin/idea-links');
    await type.click(await screen.findByRole('button', { name: 'Delete Own less – Guess less' }));
    expect(await screen.findByText('The idea link “Own less – Guess less” was deleted.')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Own less' })).toBeNull();
    window.dispatchEvent(new Event('pagehide'));
    await waitFor(() => expect(deleted).toEqual(['/api/admin/idea-links/7']));
  });
});

describe('the form of a new idea link', () => {
  it('chooses each idea among those of the chosen book', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('POST /api/admin/idea-links', ({ body }) => {
        bodies.push(body);
        return { link: sampleLink(7) };
      }),
    );
    app = openApp('/admin/idea-link-add');
    const first = await screen.findByRole('combobox', { name: 'First idea*' });
    expect(first).toHaveAccessibleDescription('Choose the book first.');
    await type.click(screen.getByRole('button', { name: 'Add idea link' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify First book.');
    for (const [label, title, idea] of [
      ['First', 'Walden', 'Own less'],
      ['Second', 'Emma', 'Listen more'],
    ] as const) {
      await type.type(screen.getByRole('combobox', { name: `${label} book*` }), title.slice(0, 3));
      await type.click(await screen.findByRole('option', { name: title }));
      await screen.findByRole('option', { name: idea });
      await type.selectOptions(screen.getByRole('combobox', { name: `${label} idea*` }), idea);
    }
    // A heading that two sections have is offered once.
    expect(
      within(first)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Choose…', 'Own less', 'Wake early']);
    await type.selectOptions(screen.getByLabelText('Kind*'), 'Contradicts');
    const note = screen.getByLabelText('Note*');
    await type.type(note, ' Emma  talks. ');
    expect(note).toHaveAccessibleDescription(/289 characters left/);
    await type.click(screen.getByRole('button', { name: 'Add idea link' }));
    expect(await screen.findByText('Idea link was added.', { exact: false })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Edit it' })).toHaveAttribute('href', '/admin/idea-link-edit/7');
    expect(bodies).toEqual([
      { fromBookId: 'walden', fromIdea: 'Own less', toBookId: 'emma', toIdea: 'Listen more', note: 'Emma  talks.', kind: 'contradicts', state: 'draft' },
    ]);
  });

  it('shows an error of the server at its field', async () => {
    server.use(on('POST /api/admin/idea-links', () => failure(422, 'validation_failed', 'These two ideas have a link already.', { field: 'toIdea' })));
    app = openApp('/admin/idea-link-add?from=walden&idea=Own+less&to=emma&toIdea=Guess+less');
    await type.selectOptions(await screen.findByLabelText('Kind*'), 'Agrees with');
    await type.click(screen.getByRole('button', { name: 'Add idea link' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('These two ideas have a link already.');
    const second = screen.getByRole('combobox', { name: 'Second idea*' });
    expect(second).toHaveAccessibleDescription('These two ideas have a link already.');
    expect(second).toHaveFocus();
  });

  it('says why the ideas of a book can’t be chosen', async () => {
    let fails = true;
    server.use(
      on('GET /api/admin/idea-links/ideas', ({ request }) => {
        if (new URL(request.url).searchParams.get('bookId') === 'no-book') return failure(404, 'not_found', 'There is no such book.');
        return fails ? failure(500, 'internal', 'The server’s own text.') : { ideas: [] };
      }),
    );
    app = openApp('/admin/idea-link-add?from=no-book&to=emma');
    const [first, second] = [await screen.findByRole('combobox', { name: 'First idea*' }), screen.getByRole('combobox', { name: 'Second idea*' })];
    await waitFor(() => expect(first).toHaveAccessibleDescription('There is no such book.'));
    await waitFor(() => expect(second).toHaveAccessibleDescription('The server’s own text. Try again'));
    fails = false;
    await type.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(second).toHaveAccessibleDescription('The book has no key ideas yet.'));
  });
});

describe('the form of an idea link', () => {
  const open = async (link = sampleLink(7)) => {
    const bodies: unknown[] = [];
    server.use(
      ideasOfBooks(),
      on('GET /api/admin/idea-links/{id}', () => ({ link })),
      on('PUT /api/admin/idea-links/{id}', ({ body }) => {
        bodies.push(body);
        return { link: { ...link, ...(body as object), version: 4 } };
      }),
    );
    app = openApp('/admin/idea-link-edit/7');
    await screen.findByRole('button', { name: 'Update idea link' });
    return bodies;
  };

  it('keeps a heading that is gone, and says so; the link is saved with it or with another one', async () => {
    const bodies = await open(sampleLink(7, { from: { ...WALDEN, idea: 'Own nothing', section: null } }));
    const first = screen.getByRole('combobox', { name: 'First idea*' });
    expect(await within(first).findByRole('option', { name: 'Not in the book: Own nothing' })).toBeInTheDocument();
    expect(first).toHaveValue('Own nothing');
    expect(first).toHaveAccessibleDescription(/^The book has no key idea with this heading/);
    expect(screen.getByRole('region', { name: 'The two ideas' })).toHaveTextContent('FirstOwn nothingWaldenHeading is gone');
    await type.selectOptions(screen.getByLabelText('Status*'), 'Draft');
    await type.click(screen.getByRole('button', { name: 'Update idea link' }));
    expect(await screen.findByText('Idea link was updated.')).toBeVisible();
    await type.selectOptions(first, 'Own less');
    expect(first).not.toHaveAccessibleDescription();
    await type.click(screen.getByRole('button', { name: 'Update idea link' }));
    await waitFor(() => expect(bodies).toHaveLength(2));
    expect(bodies).toEqual([
      expect.objectContaining({ fromBookId: 'walden', fromIdea: 'Own nothing', state: 'draft', version: 3 }),
      expect.objectContaining({ fromIdea: 'Own less', version: 4 }),
    ]);
  });

  it('leads to both books, and needs a note unless the pair is dismissed', async () => {
    await open();
    expect(screen.getByRole('heading', { level: 1, name: 'Idea link #7' })).toBeVisible();
    const ideas = within(screen.getByRole('region', { name: 'The two ideas' }));
    expect(ideas.getByRole('link', { name: 'Own less' })).toHaveAttribute('href', '/books/walden');
    expect(ideas.getByRole('link', { name: 'Guess less' })).toHaveAttribute('href', '/books/emma');
    expect(screen.getByLabelText('Note*')).toHaveValue('Both ask for restraint.');
    await type.selectOptions(screen.getByLabelText('Status*'), 'Dismissed');
    expect(screen.getByLabelText('Note')).toBeVisible();
  });

  it('says when there is none with the id', async () => {
    server.use(on('GET /api/admin/idea-links/{id}', () => failure(404, 'not_found', 'There is no such thing.')));
    app = openApp('/admin/idea-link-edit/7');
    expect(await screen.findByText('There is no idea link with this id.')).toBeVisible();
  });
});

describe('the proposals', () => {
  const dismissButton = (idea: string) => screen.getByRole('button', { name: `Not related: Own less – ${idea}` });
  const three = () => [sampleProposal('One'), sampleProposal('Two'), sampleProposal('Three')];

  it('show both ideas, the words that they share and how alike they are, of a book that is chosen', async () => {
    const asked: string[] = [];
    server.use(
      on('GET /api/admin/idea-links/proposals', ({ request }) => {
        asked.push(new URL(request.url).search);
        return { proposals: [sampleProposal('Guess less')] };
      }),
    );
    app = openApp('/admin/idea-link-proposals');
    const table = await screen.findByRole('table', { name: 'Proposed idea links' });
    const cells = within(within(table).getAllByRole('row')[1] as HTMLElement).getAllByRole('cell');
    expect(cells.slice(1, 4).map(({ textContent }) => textContent)).toEqual(['Guess lessEmma', 'less, want', '64%']);
    expect(cells[0]).toHaveTextContent('Own lessWalden');
    expect(
      screen.getByText(/^Key ideas of the books with the fewest links.*Readers see nothing of a proposal until you have written and published/),
    ).toBeVisible();
    await type.type(screen.getByRole('combobox', { name: 'Book' }), 'wal');
    await type.click(await screen.findByRole('option', { name: 'Walden' }));
    expect(await screen.findByText(/^Key ideas of this book/)).toBeVisible();
    expect(app.at()).toBe('/admin/idea-link-proposals?book=walden');
    await type.click(await screen.findByRole('button', { name: 'Remove Walden' }));
    expect(app.at()).toBe('/admin/idea-link-proposals');
    expect(asked.slice(0, 2)).toEqual(['', '?bookId=walden']);
  });

  it('a link is written with both ideas filled in', async () => {
    const bodies: unknown[] = [];
    server.use(
      on('GET /api/admin/idea-links/proposals', () => ({ proposals: [sampleProposal('Guess less')] })),
      on('POST /api/admin/idea-links', ({ body }) => {
        bodies.push(body);
        return { link: sampleLink(7) };
      }),
    );
    app = openApp('/admin/idea-link-proposals?book=walden');
    await type.click(await screen.findByRole('link', { name: 'Write the link: Own less – Guess less' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Add idea link' })).toBeVisible();
    expect(app.at()).toBe('/admin/idea-link-add?from=walden&idea=Own+less&to=emma&toIdea=Guess+less');
    expect(screen.getByRole('link', { name: 'Proposed idea links' })).toHaveAttribute('href', '/admin/idea-link-proposals');
    await within(screen.getByRole('combobox', { name: 'First idea*' })).findByRole('option', { name: 'Wake early' });
    await type.selectOptions(screen.getByLabelText('Kind*'), 'Agrees with');
    await type.type(screen.getByLabelText('Note*'), 'Both ask for restraint.');
    await type.selectOptions(screen.getByLabelText('Status*'), 'Published');
    await type.click(screen.getByRole('button', { name: 'Add idea link' }));
    await screen.findByText('Idea link was added.', { exact: false });
    expect(bodies).toEqual([
      {
        fromBookId: 'walden',
        fromIdea: 'Own less',
        toBookId: 'emma',
        toIdea: 'Guess less',
        note: 'Both ask for restraint.',
        kind: 'agrees',
        state: 'published',
      },
    ]);
  });

  it('a pair that is not related goes, the focus moves on, and Undo brings it back', async () => {
    const sent: unknown[] = [];
    let proposed = three();
    server.use(
      on('GET /api/admin/idea-links/proposals', () => ({ proposals: proposed })),
      on('POST /api/admin/idea-links', ({ body }) => {
        sent.push(body);
        return { link: sampleLink(7) };
      }),
      on('DELETE /api/admin/idea-links/{id}', ({ request }) => {
        sent.push(new URL(request.url).pathname);
        return {};
      }),
    );
    app = openApp('/admin/idea-link-proposals');
    await screen.findByRole('table');
    await type.click(dismissButton('Two'));
    expect(await screen.findByText('“Own less – Two” will not be proposed again.')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Two')).toBeNull());
    expect(sent).toEqual([{ fromBookId: 5, fromIdea: 'Own less', toBookId: 4, toIdea: 'Two', kind: 'agrees', note: '', state: 'dismissed' }]);
    expect(dismissButton('Three')).toHaveFocus();
    await type.click(dismissButton('Three'));
    await waitFor(() => expect(screen.queryByText('Three')).toBeNull());
    expect(dismissButton('One')).toHaveFocus();
    proposed = [];
    await type.click(dismissButton('One'));
    expect(await screen.findByRole('heading', { name: 'No proposals' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    proposed = [sampleProposal('One')];
    const toast = screen.getByText('“Own less – One” will not be proposed again.').closest<HTMLElement>('.toast');
    await type.click(within(toast as HTMLElement).getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(dismissButton('One')).toBeVisible());
    expect(sent.at(-1)).toBe('/api/admin/idea-links/7');
  });

  it('more are loaded when the last one is dismissed', async () => {
    let proposed = [sampleProposal('One')];
    server.use(
      on('GET /api/admin/idea-links/proposals', () => ({ proposals: proposed })),
      on('POST /api/admin/idea-links', () => ({ link: sampleLink(7) })),
    );
    app = openApp('/admin/idea-link-proposals?book=walden');
    await screen.findByRole('table');
    proposed = [sampleProposal('Two')];
    await type.click(dismissButton('One'));
    await waitFor(() => expect(dismissButton('Two')).toBeVisible());
    proposed = [];
    await type.click(dismissButton('Two'));
    expect(await screen.findByRole('heading', { name: 'No proposals for this book' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Add idea link' })).toHaveAttribute('href', '/admin/idea-link-add');
  });

  it('a pair stays when the server is not reached, and goes when another editor has linked it', async () => {
    let answer = failure(503, 'busy', 'The server is busy.');
    server.use(
      on('GET /api/admin/idea-links/proposals', () => ({ proposals: three() })),
      on('POST /api/admin/idea-links', () => answer),
    );
    app = openApp('/admin/idea-link-proposals');
    await screen.findByRole('table');
    await type.click(dismissButton('One'));
    expect(await screen.findByText('The pair was not dismissed. The server is busy.')).toBeVisible();
    expect(dismissButton('One')).toHaveFocus();
    answer = failure(422, 'validation_failed', 'These two ideas have a link already.', { field: 'toIdea' });
    await type.click(dismissButton('One'));
    expect(await screen.findByText('The pair was not dismissed. These two ideas have a link already.')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('One')).toBeNull());
    expect(dismissButton('Two')).toHaveFocus();
  });

  it('say that they could not be loaded, and try again', async () => {
    let fails = true;
    server.use(
      on('GET /api/admin/idea-links/proposals', () => (fails ? failure(404, 'not_found', 'There is no such book.') : { proposals: [sampleProposal('One')] })),
    );
    app = openApp('/admin/idea-link-proposals?book=no-book');
    expect(await screen.findByRole('heading', { name: 'There is no such book.' })).toBeVisible();
    fails = false;
    await type.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('table')).toBeVisible();
  });
});

describe('an idea link', () => {
  it('has room for 300 characters of its note, counted as the server does', () => {
    expect(noteRoom('')).toBe('300 characters left');
    expect(noteRoom(`  ${'é'.repeat(298)}\n 🍊 `)).toBe('0 characters left');
    expect(noteRoom('x'.repeat(299))).toBe('1 character left');
    expect(noteRoom('x'.repeat(312))).toBe('12 characters too many');
  });

  it('sends no kind or status that was not chosen', () => {
    const values = { fromBookId: ' walden', fromIdea: 'Own less', toBookId: '', toIdea: '', note: ' ', kind: '', state: '' };
    expect(linkForm(values, null)).toEqual({ fromBookId: 'walden', fromIdea: 'Own less', toBookId: '', toIdea: '', note: '' });
  });

  it('is led to by the audit log', () => {
    expect(subjectPath({ kind: 'idea_link', id: 7 })).toBe('/admin/idea-link-edit/7');
  });
});
