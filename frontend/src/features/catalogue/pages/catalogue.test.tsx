import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { HistoryEntry, ResultOf, User } from '@/api/types';
import * as AuthorPage from '@/features/catalogue/pages/AuthorPage';
import * as BooklistPage from '@/features/catalogue/pages/BooklistPage';
import * as BooksPage from '@/features/catalogue/pages/BooksPage';
import * as CategoryPage from '@/features/catalogue/pages/CategoryPage';
import * as ChooseCategoriesPage from '@/features/catalogue/pages/ChooseCategoriesPage';
import * as HomePage from '@/features/catalogue/pages/HomePage';
import { refuseUnreadable } from '@/features/catalogue/queries';
import { sampleBook, sampleCategories, sampleList, sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

function open(address: string) {
  const router = createMemoryRouter(
    [
      { path: '/books', ...BooksPage },
      { path: '/booklist/:sort/:tag', ...BooklistPage },
      { path: '/category/:category', ...CategoryPage },
      { path: '/authors/:slug', ...AuthorPage },
      { path: '/home', ...HomePage },
      { path: '/choose-categories/:type', ...ChooseCategoriesPage },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: [address] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { at: () => router.state.location.pathname + router.state.location.search, router };
}

const asked: string[] = [];
beforeEach(() => {
  asked.length = 0;
});

/** Mocks the list, filtered by the query parameters. */
const serveBooks = () =>
  server.use(
    on('GET /api/books', ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query.toString());
      if (query.get('q') === 'nothing') return sampleList([]);
      if (query.get('q')) {
        return sampleList([
          sampleBook(9, { title: 'Found', match: { section: { title: 'Where', place: 2 }, passage: 'a \uE000found\uE001 word', near: false } }),
        ]);
      }
      if (query.get('after') === 'k1') return sampleList([sampleBook(3)], { total: 3 });
      return sampleList([sampleBook(1), sampleBook(2)], { next: 'k1', total: 3 });
    }),
  );

describe('the books', () => {
  it('are loaded by page, the next one by its key', async () => {
    serveBooks();
    open('/books');
    expect(await screen.findByRole('link', { name: 'Book 2' })).toHaveAttribute('href', '/books/book-2');
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
    expect(await screen.findByRole('link', { name: 'Book 3' })).toBeInTheDocument();
    expect(asked).toEqual(['', 'after=k1']);
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });

  it('follow the URL, and the controls change it', async () => {
    serveBooks();
    const { at } = open('/books/?sort=newest');
    await screen.findByRole('link', { name: 'Book 1' });
    expect(asked).toEqual(['sort=newest']);
    expect(screen.getByRole('radio', { name: 'New' })).toBeChecked();
    await userEvent.click(screen.getByRole('radio', { name: 'Trending' }));
    expect(at()).toMatch(/^\/books\/?\?sort=trending$/);
    await userEvent.click(screen.getByRole('checkbox', { name: 'With audio' }));
    expect(at()).toMatch(/\?audio=true&sort=trending$/);
    const category = screen.getByRole('link', { name: 'Philosophy' });
    await waitFor(() => expect(category).toHaveAttribute('href', expect.stringContaining('audio=true')));
    await userEvent.click(category);
    expect(at()).toBe('/books?audio=true&category=philosophy&sort=trending');
    expect(await screen.findByRole('heading', { level: 1, name: 'Philosophy' })).toBeInTheDocument();
  });

  it('show a choice at once, also when the list loads slowly', async () => {
    let arrive: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (arrive = resolve));
    server.use(
      on('GET /api/books', async ({ request }) => {
        if (new URL(request.url).search) await slow;
        return sampleList([sampleBook(1)]);
      }),
    );
    const { at } = open('/books');
    await screen.findByRole('link', { name: 'Book 1' });
    await userEvent.click(screen.getByRole('checkbox', { name: 'With video' }));
    expect(screen.getByRole('checkbox', { name: 'With video' })).toBeChecked();
    await userEvent.click(screen.getByRole('radio', { name: 'Trending' }));
    expect(screen.getByRole('radio', { name: 'Trending' })).toBeChecked();
    expect(at()).toBe('/books');
    arrive();
    await waitFor(() => expect(at()).toMatch(/\?sort=trending&video=true$/));
    expect(screen.getByRole('checkbox', { name: 'With video' })).toBeChecked();
  });

  it('of a search show the passage, with matched words marked', async () => {
    serveBooks();
    const { at } = open('/books');
    await screen.findByRole('link', { name: 'Book 1' });
    await userEvent.type(screen.getByRole('searchbox'), 'word');
    expect(await screen.findByRole('link', { name: 'Found' })).toBeInTheDocument();
    expect(at()).toBe('/books?q=word');
    expect(screen.getByText('found').tagName).toBe('MARK');
    expect(screen.getByText('In “Where”')).toBeInTheDocument();
    expect(screen.getByText('Best match first')).toBeInTheDocument();
  });

  it('of a search offer members a session on it (study.session-links)', async () => {
    serveBooks();
    session.start('t');
    open('/books?q=so%20good');
    const link = await screen.findByRole('link', { name: 'Read about “so good” in 15 minutes' });
    expect(link).toHaveAttribute('href', '/session?minutes=15&topic=so+good');
    session.end('left');
  });

  it.each(['nothing', 'a'.repeat(101)])('of a search for “%s” offer no session', async (typed) => {
    serveBooks();
    session.start('t');
    open(`/books?q=${typed}`);
    await waitFor(() => expect(screen.queryByText('Loading summaries')).not.toBeInTheDocument());
    expect(screen.queryByRole('link', { name: /in 15 minutes/ })).toBeNull();
    session.end('left');
  });

  it('of a search offer visitors no session', async () => {
    serveBooks();
    open('/books?q=good');
    await screen.findByRole('link', { name: 'Found' });
    expect(screen.queryByRole('link', { name: /in 15 minutes/ })).toBeNull();
  });

  it('of a search without results link to all books', async () => {
    serveBooks();
    open('/books?q=nothing');
    expect(await screen.findByRole('heading', { name: 'Nothing found for “nothing”' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Show all summaries' })).toHaveAttribute('href', '/books');
    expect(screen.getByRole('link', { name: 'Suggest this book' })).toHaveAttribute('href', '/contact?kind=suggest&book=nothing');
  });

  it('of a search that no summary is about say that they come near', async () => {
    server.use(on('GET /api/books', () => sampleList([sampleBook(1, { match: { section: null, passage: null, near: true } })])));
    open('/books?q=worry');
    expect(await screen.findByText('No summary is about “worry” itself; these come close.')).toBeVisible();
  });

  it('of a search count what they list, also what is coming soon', async () => {
    const found = (id: number, more = {}) => sampleBook(id, { match: { section: null, passage: null, near: false }, ...more });
    server.use(on('GET /api/books', () => sampleList([found(1), found(2, { comingSoon: true })], { total: null })));
    open('/books?q=insects');
    expect(await screen.findByText('2 summaries for “insects”, 1 coming soon')).toBeVisible();
    expect(screen.getAllByRole('listitem').filter((item) => item.querySelector('.book-hit'))).toHaveLength(2);
    expect(screen.queryByText(/Did you mean/)).toBeNull();
  });

  it('of a misspelled search offer the corrected one, with the same filters', async () => {
    server.use(on('GET /api/books', () => sampleList([sampleBook(1)], { didYouMean: 'origin of species' })));
    const { at } = open('/books?q=origin+of+spieces&audio=true');
    const offer = await screen.findByRole('link', { name: 'origin of species' });
    await userEvent.click(offer);
    await waitFor(() => expect(screen.getByRole('searchbox')).toHaveValue('origin of species'));
    expect(at()).toBe('/books?q=origin+of+species&audio=true');
  });

  it.each(['/books?author=nobody', '/booklist/new/nothing', '/category/nothing', '/authors/nobody'])(
    'of what is not there: %s says so under its own title',
    async (address) => {
      server.use(
        on('GET /api/books', () => failure(404, 'not_found', 'There is no such author.', { field: 'author' })),
        on('GET /api/authors/{slug}', () => failure(404, 'not_found', 'There is no such author.')),
      );
      open(address);
      expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
      expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
      await waitFor(() => expect(document.title).toBe('Page not found – Quire'));
    },
  );

  it('that fail to load show the error and a retry', async () => {
    let down = true;
    server.use(on('GET /api/books', () => (down ? failure(503, 'busy', 'Pith is busy. Please try again.') : sampleList([sampleBook(1)]))));
    open('/books');
    expect(await screen.findByText('Pith is busy. Please try again.')).toBeInTheDocument();
    down = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Book 1' })).toBeInTheDocument();
  });
});

describe('home', () => {
  const history = (more: Partial<HistoryEntry>): HistoryEntry => ({ ...sampleBook(5), position: 2, completed: false, at: 0, sectionsTotal: 8, ...more });

  let ofTheDay: ResultOf<'GET /api/insight'>['insight'] = null;
  let allowance: ResultOf<'GET /api/user/allowance'>['allowance'] = null;
  beforeEach(() => {
    ofTheDay = null;
    allowance = null;
  });

  function serveHome(user: Partial<User>, entries: HistoryEntry[] = []) {
    session.start('t');
    const member = sampleUser({ recommends: [1], ...user });
    server.use(
      on('GET /api/books', ({ request }) => {
        asked.push(new URL(request.url).searchParams.toString());
        return sampleList([sampleBook(1)], { user: member, recommendations: [sampleBook(2)] });
      }),
      on('GET /api/user-book-history', ({ request }) => {
        asked.push(new URL(request.url).searchParams.toString());
        return { user: member, books: entries, counts: { all: entries.length, completed: 0 }, next: null };
      }),
      on('GET /api/insight', () => ({ insight: ofTheDay })),
      on('GET /api/user/allowance', () => ({ allowance, opened: [] })),
      // For the page of categories, after the redirect.
      on('GET /api/user/account', () => ({ user: member })),
      on('GET /api/categories', () => ({ categories: sampleCategories() })),
    );
  }

  it('greets by name and shows its sections', async () => {
    serveHome({}, [history({}), history({ id: 6, title: 'Done', completed: true })]);
    open('/home');
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome Back, Ada!' })).toBeInTheDocument();
    expect(screen.getAllByRole('heading', { level: 2 }).map((h) => h.textContent)).toEqual([
      'Pick up where you left off',
      'Books Recommended For You',
      'One more summary, for a friend',
      'New Releases',
      'Explore Categories',
    ]);
    expect(asked.sort()).toEqual(['limit=50', 'limit=6&sort=newest']);
    expect(await screen.findByText('Key idea 3 of 8')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Done' })).toBeNull();
    expect(screen.getByRole('link', { name: 'See all: New Releases' })).toHaveAttribute('href', '/books/?sort=newest');
    expect(screen.getByRole('link', { name: /^Philosophy/ })).toHaveAttribute('href', '/books/?category=philosophy');
  });

  it('leads to sessions of usual lengths, and to the form (study.session-links)', async () => {
    serveHome({});
    open('/home');
    const row = within(await screen.findByRole('navigation', { name: 'I have … minutes' }));
    expect(row.getAllByRole('link').map((link) => [link.getAttribute('aria-label') ?? link.textContent, link.getAttribute('href')])).toEqual([
      ...[5, 10, 15, 20, 30].map((minutes) => [`${minutes} minutes`, `/session?minutes=${minutes}`]),
      ['Choose a topic', '/session'],
    ]);
  });

  it('shows the insight of the day with the book that it is from', async () => {
    ofTheDay = { id: 1, title: 'Price it in life', insight: 'The cost of a thing is life.', quoted: true, book: sampleBook(3) };
    serveHome({});
    open('/home');
    const insight = within(await screen.findByRole('region', { name: 'Insight of the day' }));
    expect(insight.getByText('“The cost of a thing is life.”')).toBeVisible();
    expect(insight.getByText('Price it in life')).toBeVisible();
    expect(insight.getByRole('link', { name: 'Book 3, Ada Writer' })).toHaveAttribute('href', '/books/book-3');
  });

  it('leads to the whole history from the books that were begun', async () => {
    serveHome({}, [history({})]);
    open('/home');
    expect(await screen.findByRole('link', { name: 'See all: Pick up where you left off' })).toHaveAttribute('href', '/library?view=history');
  });

  it('lists books in progress, and no completed ones', async () => {
    serveHome({}, [
      history({ id: 6, title: 'Done', completed: true }),
      history({ id: 7, title: 'Latest' }),
      history({ id: 8, title: 'Done too', completed: true }),
      history({ id: 9, title: 'Earlier' }),
    ]);
    open('/home');
    const resume = (await screen.findByRole('link', { name: 'Latest' })).closest('ul');
    expect(
      within(resume ?? document.body)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Latest', 'Earlier']);
  });

  it('says that nothing is half read when all is completed', async () => {
    serveHome({}, [history({ completed: true })]);
    open('/home');
    expect(await screen.findByText(/^You have finished everything you started\./)).toBeVisible();
    expect(screen.getByRole('link', { name: 'See all: Pick up where you left off' })).toBeVisible();
  });

  it.each([
    ['two are left of the first ones', { left: 2, total: 3 }, null],
    ['the first ones are read', { left: 0, total: 3 }, /^You have read your free summaries\. The next one comes on \w+ 1\. Invite a friend for one more\.$/],
    ['this month’s is ready', { left: 1, total: 1 }, /^Your free summary for this month is ready\. Invite a friend for one more\.$/],
    ['the month’s is read', { left: 0, total: 1 }, /^You have read your free summaries\. The next one comes on \w+ 1\. Invite a friend for one more\.$/],
  ])('says of the free summaries, when %s: (reading-progress.monthly-summary)', async (_, left, text) => {
    allowance = left;
    serveHome({}, [history({})]);
    open('/home');
    await screen.findByRole('heading', { level: 1, name: 'Welcome Back, Ada!' });
    if (text) await waitFor(() => expect(document.querySelector('.home__allowance')).toHaveTextContent(text));
    else {
      await waitFor(() => expect(queryClient.getQueryData(['member', 'allowance'])).toBeDefined());
      expect(document.querySelector('.home__allowance')).toBeNull();
    }
  });

  it('greets without a name', async () => {
    serveHome({ firstName: '' }, [history({})]);
    open('/home');
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome Back!' })).toBeInTheDocument();
    expect(await screen.findByText('Key idea 3 of 8')).toBeVisible();
    expect(screen.queryByText(/^Good to have you here/)).toBeNull();
  });

  it('greets a member who has opened nothing yet as one who is new', async () => {
    serveHome({});
    open('/home');
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome, Ada!' })).toBeInTheDocument();
    expect(await screen.findByText(/^Good to have you here\. Choose your first summary/)).toBeVisible();
  });

  it('greets as one who comes back only after the first day of reading', async () => {
    serveHome({}, [history({ at: Date.now() - 3_600_000 })]);
    open('/home');
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome, Ada!' })).toBeInTheDocument();
  });

  it('says why each book is recommended, and leads to all of them', async () => {
    serveHome({ recommends: [1] });
    const other = sampleBook(3, { categories: [{ id: 2, subid: 'science', name: 'Science', hue: 195 }] });
    server.use(on('GET /api/books', () => sampleList([], { user: sampleUser({ recommends: [1] }), recommendations: [sampleBook(2), other] })));
    open('/home');
    const card = async (name: string) => within((await screen.findByRole('link', { name })).closest('article') ?? document.body);
    expect((await card('Book 2')).getByText('Because you chose Philosophy')).toBeVisible();
    expect((await card('Book 3')).getByText('Liked by other readers')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See all: Books Recommended For You' })).toHaveAttribute('href', '/recommendations');
    expect(within(screen.getByRole('navigation', { name: 'My Quire' })).getByRole('link', { name: 'Suggest a Book' })).toHaveAttribute(
      'href',
      '/contact?kind=suggest',
    );
  });

  it.each([
    [false, 1],
    [true, 0],
  ])('paid %s: %i links to upgrade', async (isPaid, count) => {
    serveHome({ isPaid });
    open('/home');
    await screen.findByRole('heading', { level: 1, name: 'Welcome, Ada!' });
    const side = within(screen.getByRole('navigation', { name: 'My Quire' }));
    expect(side.queryAllByRole('link', { name: 'Upgrade' })).toHaveLength(count);
  });

  it('redirects a member without preferences to choose them', async () => {
    serveHome({ recommends: [] });
    const { at } = open('/home');
    await waitFor(() => expect(at()).toBe('/choose-categories/new'));
  });
});

describe('an address of a list that can’t be read (catalogue.unreadable-address)', () => {
  it.each(['sort=nonsense', 'sort=', 'audio=yes', 'video=1', 'collection=abc'])('is refused: %s', (query) => {
    expect(() => refuseUnreadable(new URLSearchParams(query))).toThrow();
  });

  it.each(['', 'sort=newest&audio=true&video=false&collection=3', 'q=walden&category=philosophy&unknown=1'])('is read: "%s"', (query) => {
    expect(() => refuseUnreadable(new URLSearchParams(query))).not.toThrow();
  });
});

describe('choosing categories', () => {
  let saved: unknown = null;
  function serve(recommends: number[]) {
    saved = null;
    session.start('t');
    server.use(
      on('GET /api/user/account', () => ({ user: sampleUser({ recommends }) })),
      on('GET /api/categories', () => ({ categories: sampleCategories() })),
      // For home, after the redirect.
      on('GET /api/books', () => sampleList([], { user: sampleUser({ recommends: [1] }) })),
      on('GET /api/user-book-history', () => ({ user: sampleUser(), books: [], counts: { all: 0, completed: 0 }, next: null })),
      on('GET /api/insight', () => ({ insight: null })),
      on('PUT /api/user/recommends', ({ body }) => {
        saved = body;
        return { user: sampleUser({ recommends: (body as { recommends: number[] }).recommends }) };
      }),
      on('POST /api/events', ({ body }) => {
        asked.push(JSON.stringify(body));
        return {};
      }),
    );
  }

  it('needs one', async () => {
    serve([]);
    open('/choose-categories/new');
    await userEvent.click(await screen.findByRole('button', { name: 'Submit' }));
    // Home would redirect back to this page.
    expect(screen.queryByRole('link', { name: 'Home' })).not.toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent('Please pick a category.');
    expect(saved).toBeNull();
    expect(screen.getByText('Please pick the categories that you are interested in, and we will recommend books for you to read.')).toBeInTheDocument();
  });

  it('for the first time goes home, and is counted', async () => {
    serve([]);
    const { at } = open('/choose-categories/new');
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Science' }));
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
    await waitFor(() => expect(at()).toBe('/home'));
    expect(saved).toEqual({ recommends: [2] });
    await waitFor(() => expect(asked).toContain('{"name":"categories_chosen"}'));
  });

  it('again, starts from the last choice and says that it is saved', async () => {
    serve([1]);
    open('/choose-categories/edit');
    expect(await screen.findByRole('checkbox', { name: 'Philosophy' })).toBeChecked();
    expect(screen.getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/home');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Science' }));
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByText('Your preferences were successfully saved.')).toBeInTheDocument();
    expect(saved).toEqual({ recommends: [1, 2] });
  });

  it('is skipped for new members who have chosen', async () => {
    serve([1]);
    const { at } = open('/choose-categories/new');
    await waitFor(() => expect(at()).toBe('/home'));
  });

  it.each([
    ['GET /api/user/account', "Couldn't fetch the user"],
    ['GET /api/categories', "Couldn't fetch the categories"],
  ] as const)('without %s says so', async (name, text) => {
    serve([]);
    server.use(on(name, () => failure(500, 'internal', 'Oh.')));
    open('/choose-categories/edit');
    expect(await screen.findByText(text)).toBeInTheDocument();
  });
});
