import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { BackLink } from '@/ui/BackLink';

afterEach(() => vi.unstubAllGlobals());

function open(entries: string[], urls: string[]) {
  vi.stubGlobal('navigation', { currentEntry: { index: urls.length - 1 }, entries: () => urls.map((url, index) => ({ index, url })) });
  const router = createMemoryRouter(
    [
      { path: '/list', element: <p>the list</p> },
      { path: '/list/1', element: <BackLink to="/list">Back to the list</BackLink> },
    ],
    { initialEntries: entries },
  );
  render(<RouterProvider router={router} />);
  return router;
}

it('goes back in the history to the list that was visited before', async () => {
  const router = open(['/list?part=2', '/list/1'], ['http://localhost:4000/list?part=2', 'http://localhost:4000/list/1']);
  await userEvent.click(screen.getByRole('link', { name: 'Back to the list' }));
  expect(await screen.findByText('the list')).toBeVisible();
  expect(router.state.location.search).toBe('?part=2');
  expect(router.state.historyAction).toBe('POP');
});

it('is a plain link after another page', async () => {
  const router = open(['/list/1'], ['http://localhost:4000/list/1']);
  await userEvent.click(screen.getByRole('link', { name: 'Back to the list' }));
  expect(await screen.findByText('the list')).toBeVisible();
  expect(router.state.historyAction).toBe('PUSH');
});
