import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import * as LibraryPage from '@/features/reading/pages/LibraryPage';
import { sampleBook, sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const shelf = (from: number, count: number) => Array.from({ length: count }, (_, i) => sampleBook(from + i));

function open() {
  const router = createMemoryRouter([{ path: '/library', ...LibraryPage }], { initialEntries: ['/library'] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

const titles = () => screen.queryAllByRole('heading', { level: 3 }).map((heading) => heading.textContent);

beforeEach(() => session.start('token'));

describe('the library', () => {
  it('comes 20 at a time', async () => {
    const asked: string[] = [];
    server.use(
      on('GET /api/library', ({ request }) => {
        const { searchParams } = new URL(request.url);
        asked.push(searchParams.toString());
        return searchParams.get('after') === 'k20'
          ? { user: sampleUser(), books: shelf(21, 3), next: null }
          : { user: sampleUser(), books: shelf(1, 20), next: 'k20' };
      }),
    );
    open();
    await screen.findByRole('link', { name: 'Book 20' });
    expect(screen.getByRole('heading', { level: 1, name: 'Your Library' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Load 20 more' }));
    await screen.findByRole('link', { name: 'Book 23' });
    expect(titles()).toHaveLength(23);
    expect(screen.queryByRole('button', { name: /Load/ })).not.toBeInTheDocument();
    expect(asked).toEqual(['limit=20', 'after=k20&limit=20']);
  });

  it('says when there is nothing, and where to find something', async () => {
    server.use(on('GET /api/library', () => ({ user: sampleUser(), books: [], next: null })));
    open();
    expect(await screen.findByRole('heading', { name: 'Nothing on your shelf yet' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Browse summaries' })).toHaveAttribute('href', '/books');
  });

  it('says why it did not come, and tries again', async () => {
    let tries = 0;
    server.use(
      on('GET /api/library', () => (tries++ === 0 ? failure(503, 'busy', 'Too busy right now.') : { user: sampleUser(), books: shelf(1, 1), next: null })),
    );
    open();
    expect(await screen.findByRole('alert')).toHaveTextContent('Too busy right now.');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('link', { name: 'Book 1' });
  });

  it('takes a book out at once and gives the focus to the next one', async () => {
    const removed: string[] = [];
    server.use(
      on('GET /api/library', () => ({ user: sampleUser(), books: shelf(1, 3), next: null })),
      on('DELETE /api/library/{id}', ({ request }) => {
        removed.push(new URL(request.url).pathname);
        return { isInLibrary: false };
      }),
    );
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Book 2 from library' }));
    await waitFor(() => expect(titles()).toEqual(['Book 1', 'Book 3']));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Remove Book 3 from library' })).toHaveFocus());
    await waitFor(() => expect(removed).toEqual(['/api/library/2']));
  });

  it('puts it back when the server refuses, and says so', async () => {
    server.use(
      on('GET /api/library', () => ({ user: sampleUser(), books: shelf(1, 2), next: null })),
      on('DELETE /api/library/{id}', () => failure(500, 'internal', 'Broken.')),
    );
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Book 1 from library' }));
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByText(/“Book 1” could not be removed. Broken./)).toBeVisible();
    expect(titles()).toEqual(['Book 1', 'Book 2']);
  });
});
