import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import type { SearchResult } from '@/api/types';
import SearchDialog from '@/features/catalogue/search/SearchDialog';
import { groupsOf, summaryOf } from '@/features/catalogue/search/options';
import { KEPT, clearSearches, storeSearch, recentSearches } from '@/shared/catalogue/recentSearches';
import { sampleBook } from '@test/samples';
import { failure, on, server } from '@test/server';

const NOTHING: SearchResult = { books: [], more: false, didYouMean: null, authors: [], categories: [], collections: [], tags: [] };
const FOUND: SearchResult = {
  ...NOTHING,
  books: [sampleBook(1, { match: { section: { title: 'Where', place: 2 }, passage: 'a \uE000found\uE001 word', near: false } })],
  authors: [{ slug: 'ada', name: 'Ada Author', letter: 'a', bookCount: 1 }],
  tags: [{ slug: 'calm', name: 'calm' }],
};

function open() {
  const onClose = vi.fn();
  const router = createMemoryRouter([
    { path: '/', element: <SearchDialog onClose={onClose} /> },
    { path: '*', element: <p>elsewhere</p> },
  ]);
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { onClose, at: () => router.state.location.pathname + router.state.location.search };
}

beforeEach(() => {
  clearSearches();
  queryClient.clear();
});

describe('recent searches', () => {
  it('are the last ones, each once, the latest first', () => {
    for (let i = 0; i < KEPT + 2; i += 1) storeSearch(`search ${i}`);
    storeSearch('  Search   3 ');
    storeSearch(' ');
    expect(recentSearches()).toHaveLength(KEPT);
    expect(recentSearches().slice(0, 2)).toEqual(['Search 3', `search ${KEPT + 1}`]);
    localStorage.setItem('pith-searches', '{"no": "list"}');
    expect(recentSearches()).toEqual([]);
  });
});

describe('what was found', () => {
  it('comes in groups, books first, with a way to all of them', () => {
    const groups = groupsOf(FOUND, 'calm');
    expect(groups.map(({ title }) => title)).toEqual(['Summaries', 'Authors', 'Tags', '']);
    expect(groups.flatMap(({ options }) => options.map(({ to }) => to))).toEqual([
      '/books/book-1?section=3',
      '/authors/ada',
      '/booklist/new/calm',
      '/books?q=calm',
    ]);
    expect(summaryOf(groups)).toBe('Summaries: 1, Authors: 1, Tags: 1');
    // Without the right to read, the result links to the beginning of the book.
    const match = { section: { title: 'Where', place: 2 }, passage: null, near: false };
    expect(groupsOf({ ...NOTHING, books: [sampleBook(1, { match })] }, 'x')[0]?.options[0]?.to).toBe('/books/book-1');
    expect(groupsOf(NOTHING, 'x')).toEqual([]);
    expect(summaryOf([])).toBe('Nothing found');
  });

  it('says when no summary is about it and these only come near, and offers to suggest a book', () => {
    const books = [sampleBook(1, { match: { section: null, passage: null, near: true } })];
    const groups = groupsOf({ ...NOTHING, books }, 'worry & co');
    expect(groups[0]?.notice).toBe('No summary is about “worry & co” itself; these come close.');
    expect(groups[1]?.options.map(({ to }) => to)).toEqual(['/books?q=worry%20%26%20co', '/contact?kind=suggest&book=worry%20%26%20co']);
    expect(summaryOf(groups)).toBe('No summary is about “worry & co” itself; these come close. Summaries: 1');
  });
});

describe('a misspelled search', () => {
  it('is offered corrected, and choosing the offer searches for it', async () => {
    const found = { ...FOUND, didYouMean: 'origin of species' };
    expect(
      groupsOf(found, 'origin of spieces')
        .at(-1)
        ?.options.map(({ id, to }) => [id, to]),
    ).toEqual([
      ['offer', '/books?q=origin%20of%20species'],
      ['all', '/books?q=origin%20of%20spieces'],
    ]);
    expect(groupsOf({ ...NOTHING, didYouMean: 'calm' }, 'clam').map(({ options }) => options.map(({ id }) => id))).toEqual([['offer']]);
    server.use(on('GET /api/search', ({ request }) => (new URL(request.url).searchParams.get('q') === 'origin of species' ? FOUND : found)));
    open();
    await userEvent.type(screen.getByRole('combobox'), 'spieces');
    await userEvent.click(await screen.findByRole('option', { name: 'Did you mean “origin of species”?' }));
    expect(screen.getByRole('combobox')).toHaveValue('origin of species');
    await waitFor(() => expect(screen.queryByRole('option', { name: /Did you mean/ })).toBeNull());
  });
});

describe('the search', () => {
  it('shows results while typing, moves through them by arrows, and opens the chosen one', async () => {
    server.use(on('GET /api/search', ({ request }) => (new URL(request.url).searchParams.get('q') === 'calm' ? FOUND : NOTHING)));
    const { onClose, at } = open();
    const field = screen.getByRole('combobox');
    await userEvent.type(field, 'calm');
    const first = await screen.findByRole('option', { name: /Book 1/ });
    expect(within(first).getByText('found').tagName).toBe('MARK');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(screen.getByRole('option', { name: /Ada Author/ })).toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('{Enter}');
    expect(at()).toBe('/authors/ada');
    expect(onClose).toHaveBeenCalled();
    expect(recentSearches()).toEqual(['calm']);
  });

  it('says when nothing is found, and when it fails', async () => {
    server.use(on('GET /api/search', () => NOTHING));
    open();
    const field = screen.getByRole('combobox');
    await userEvent.type(field, 'xyz');
    expect(await screen.findByText('Nothing found for “xyz”')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Suggest this book' })).toHaveAttribute('href', '/contact?kind=suggest&book=xyz');
    server.use(on('GET /api/search', () => failure(500, 'internal', 'Not now.')));
    await userEvent.type(field, 'z');
    expect(await screen.findByRole('alert')).toHaveTextContent('Not now.');
    server.use(on('GET /api/search', () => FOUND));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('option', { name: /Ada Author/ })).toBeInTheDocument();
  });

  it('offers recent searches, and removes them on request', async () => {
    storeSearch('rivers');
    server.use(on('GET /api/search', () => NOTHING));
    open();
    await userEvent.click(screen.getByRole('option', { name: 'rivers' }));
    expect(screen.getByRole('combobox')).toHaveValue('rivers');
    await userEvent.clear(screen.getByRole('combobox'));
    await userEvent.click(screen.getByRole('button', { name: 'Clear these searches' }));
    await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
    expect(recentSearches()).toEqual([]);
  });
});
