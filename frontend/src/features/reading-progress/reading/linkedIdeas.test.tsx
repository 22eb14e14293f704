import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { LinkedIdeas } from '@/features/reading-progress/reading/components/LinkedIdeas';
import { linkedIdeasOf } from '@/features/reading-progress/reading/linkedIdeas';
import { failure, on, server } from '@test/server';

type IdeaLink = ResultOf<'GET /api/books/{id}/idea-links'>['links'][number];

const mill = { bookId: 1, subid: 'on-liberty', bookTitle: 'On Liberty', author: 'John Stuart Mill', idea: 'Only harm justifies force', section: 2 };
const prince = { bookId: 2, subid: 'the-prince', bookTitle: 'The Prince', author: 'Niccolò Machiavelli', idea: 'Be a fox', section: 4 };
const link = (kind: IdeaLink['kind'], from = mill, to = prince): IdeaLink => ({ id: 1, kind, note: 'Mill would not have it.', from, to });

const show = (index: number) =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <LinkedIdeas book={1} index={index} />
      </MemoryRouter>
    </QueryClientProvider>,
  );

beforeEach(() => queryClient.clear());

describe('what other books say of a key idea (catalogue.idea-links)', () => {
  it.each([
    ['agrees', mill, prince, 'Niccolò Machiavelli agrees'],
    ['contradicts', prince, mill, 'Niccolò Machiavelli disagrees'],
    ['builds-on', prince, mill, 'Niccolò Machiavelli builds on this'],
    ['builds-on', mill, prince, 'This builds on Niccolò Machiavelli'],
  ] as const)('%s from either end', (kind, from, to, words) => {
    const [here] = linkedIdeasOf([link(kind, from, to)], 1, 2);
    expect([here?.words, here?.other.idea]).toEqual([words, 'Be a fox']);
    expect(linkedIdeasOf([link(kind, from, to)], 1, 3)).toEqual([]);
  });

  it('stands at the end of the idea, with whose it is, the note, and a way there', async () => {
    server.use(on('GET /api/books/{id}/idea-links', () => ({ links: [link('contradicts')] })));
    show(2);
    expect(await screen.findByRole('complementary', { name: 'In other books' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Be a fox' })).toHaveAttribute('href', '/books/the-prince?section=5');
    expect(screen.getByText('Niccolò Machiavelli disagrees')).toBeInTheDocument();
    expect(screen.getByText('Mill would not have it.')).toBeInTheDocument();
  });

  it('is not there for another idea, and when it can’t be read', async () => {
    let asked = 0;
    server.use(
      on('GET /api/books/{id}/idea-links', () => {
        asked += 1;
        return asked === 1 ? { links: [link('agrees')] } : failure(500, 'internal', 'It broke.');
      }),
    );
    show(0);
    await waitFor(() => expect(asked).toBe(1));
    expect(screen.queryByRole('complementary')).toBeNull();
    queryClient.clear();
    show(2);
    await waitFor(() => expect(asked).toBe(2));
    expect(screen.queryByRole('complementary')).toBeNull();
  });
});
