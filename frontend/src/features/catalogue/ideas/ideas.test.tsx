import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { layoutOf, orderOf, shortTitle } from '@/features/catalogue/ideas/layout';
import { booksOf, filterOf, matches } from '@/features/catalogue/ideas/links';
import * as IdeasOfTopicPage from '@/features/catalogue/ideas/pages/IdeasOfTopicPage';
import * as IdeasPage from '@/features/catalogue/ideas/pages/IdeasPage';
import type { IdeaLink } from '@/features/catalogue/ideas/queries';
import { forAll } from '@test/random';
import { failure, on, server } from '@test/server';

const end = (book: number, section: number, idea = `Idea ${section} of ${book}`): IdeaLink['from'] => ({
  bookId: book,
  subid: `book-${book}`,
  bookTitle: `Book ${book}`,
  author: `Author ${book}`,
  idea,
  section,
});
const link = (id: number, from: IdeaLink['from'], to: IdeaLink['to'], kind: IdeaLink['kind'] = 'agrees'): IdeaLink => ({
  id,
  kind,
  note: `Note ${id}.`,
  from,
  to,
});
const LINKS = [link(3, end(1, 2), end(2, 0)), link(2, end(1, 4), end(3, 1), 'contradicts'), link(1, end(3, 0), end(2, 0), 'builds-on')];
const category = (id: number, name: string) => ({ id, subid: name.toLowerCase(), name, hue: 40 });
const TOPICS = [
  { category: category(1, 'Politics'), links: 3 },
  { category: category(2, 'Nature'), links: 1 },
];

function open(address: string) {
  const router = createMemoryRouter(
    [
      { path: '/ideas', ...IdeasPage },
      { path: '/ideas/:category', ...IdeasOfTopicPage },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: [address] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { at: () => router.state.location.pathname + router.state.location.search };
}

const serveTopic = (links: IdeaLink[] = LINKS) =>
  server.use(on('GET /api/idea-map/{category}', () => ({ category: category(1, 'Politics'), links, topics: TOPICS })));
const listed = () => screen.getAllByText(/^Note \d\.$/).map((note) => note.textContent);

beforeEach(() => queryClient.clear());

describe('the idea map (catalogue.idea-map)', () => {
  it('lists the topics with their number of links', async () => {
    server.use(on('GET /api/idea-map', () => ({ topics: TOPICS })));
    open('/ideas');
    expect(await screen.findByRole('link', { name: 'Politics 3 links' })).toHaveAttribute('href', '/ideas/politics');
    expect(screen.getByRole('link', { name: 'Nature 1 link' })).toBeInTheDocument();
  });

  it('says when nothing is linked, and tries again after a failure', async () => {
    let answers = false;
    server.use(on('GET /api/idea-map', () => (answers ? { topics: [] } : failure(500, 'internal', 'It broke.'))));
    open('/ideas');
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    answers = true;
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No ideas are linked yet.')).toBeInTheDocument();
  });

  it('shows the links of a topic as a list, which leads to the ideas and to the other topics', async () => {
    serveTopic();
    open('/ideas/politics');
    expect(await screen.findByRole('heading', { level: 1, name: 'Ideas in Politics' })).toBeInTheDocument();
    expect(listed()).toEqual(['Note 3.', 'Note 2.', 'Note 1.']);
    expect(screen.getByText('contradicts')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Idea 2 of 1' })).toHaveAttribute('href', '/books/book-1?section=3');
    expect(screen.getByRole('link', { name: 'Nature' })).toHaveAttribute('href', '/ideas/nature');
    expect(screen.queryByRole('link', { name: 'Politics' })).toBeNull();
  });

  it('filters by kind and by book, in the URL', async () => {
    serveTopic();
    const { at } = open('/ideas/politics');
    await userEvent.selectOptions(await screen.findByLabelText('Book'), 'Book 1');
    expect(listed()).toEqual(['Note 3.', 'Note 2.']);
    await userEvent.selectOptions(screen.getByLabelText('Kind'), 'Contradicts');
    expect(listed()).toEqual(['Note 2.']);
    expect(at()).toBe('/ideas/politics?book=book-1&kind=contradicts');
    await userEvent.selectOptions(screen.getByLabelText('Kind'), 'Builds on');
    expect(screen.getByText('No link is of this kind and this book.')).toBeInTheDocument();
    await userEvent.selectOptions(screen.getByLabelText('Book'), 'All books');
    expect(listed()).toEqual(['Note 1.']);
    expect(screen.getByRole('status')).toHaveTextContent('1 link');
  });

  it('filters by a press on a book of the drawing, which is hidden from assistive technology', async () => {
    serveTopic();
    const { at } = open('/ideas/politics?kind=agrees');
    await screen.findByRole('heading', { level: 1 });
    const map = document.querySelector('svg.idea-map');
    expect(map).toHaveAttribute('aria-hidden', 'true');
    const title = within(map as unknown as HTMLElement).getByText('Book 2');
    await userEvent.click(title);
    expect(at()).toBe('/ideas/politics?kind=agrees&book=book-2');
    expect(document.querySelectorAll('.idea-map__link--shown')).toHaveLength(1);
    await userEvent.click(title);
    await waitFor(() => expect(at()).toBe('/ideas/politics?kind=agrees'));
  });

  it('says when a topic is not there, or has no links', async () => {
    server.use(on('GET /api/idea-map/{category}', () => failure(404, 'not_found', 'There is no such category.')));
    open('/ideas/nowhere');
    expect(await screen.findByText('There is no such topic.')).toBeInTheDocument();
    queryClient.clear();
    serveTopic([]);
    open('/ideas/politics');
    expect(await screen.findByText('No ideas are linked here yet.')).toBeInTheDocument();
  });
});

describe('the links of a topic', () => {
  it('are of books, from A to Z', () => {
    expect(booksOf(LINKS).map(({ title, links }) => `${title}: ${links}`)).toEqual(['Book 1: 2', 'Book 2: 2', 'Book 3: 2']);
  });

  it('are filtered by what the URL names, unless it names nothing', () => {
    const filter = (query: string) => filterOf(new URLSearchParams(query), LINKS);
    expect(filter('kind=loves&book=book-9')).toEqual({ kind: null, book: null });
    expect(LINKS.filter((one) => matches(one, filter('kind=agrees&book=book-2'))).map(({ id }) => id)).toEqual([3]);
  });
});

describe('the drawing', () => {
  it('places each book and each idea once, on the circle, ideas of a book beside each other', () => {
    forAll(60, (random) => {
      const books = random.int(2, 9);
      const links = Array.from({ length: random.int(1, 30) }, (_, id) => {
        const from = random.int(1, books);
        const to = (from % books) + 1;
        return link(id, end(from, random.int(0, 6)), end(to, random.int(0, 6)));
      });
      const { ideas, books: drawn, curves } = layoutOf(links);
      const named = new Set(links.flatMap(({ from, to }) => [from, to]).map(({ subid, idea }) => `${subid} ${idea}`));
      expect(new Set(ideas.map(({ key }) => key))).toEqual(named);
      expect(ideas).toHaveLength(named.size);
      for (const { x, y } of ideas) expect(Math.hypot(x - 500, y - 500)).toBeCloseTo(232, 0);
      expect(new Set(drawn.map(({ subid }) => subid)).size).toBe(drawn.length);
      // In the order of the ideas each book comes once.
      const order = ideas.map(({ subid }) => subid).filter((subid, i, all) => subid !== all[i - 1]);
      expect(order).toEqual(orderOf(links));
      expect(curves.map(({ id }) => id)).toEqual(links.map(({ id }) => id));
      expect(layoutOf(links)).toEqual(layoutOf(links));
    });
  });

  it('shortens a title at a word', () => {
    expect(shortTitle('On Liberty')).toBe('On Liberty');
    expect(shortTitle('A Vindication of the Rights of Woman')).toBe('A Vindication of…');
    expect(shortTitle('Antidisestablishmentarianism')).toBe('Antidisestablishment…');
  });
});
