import { render, screen, waitFor } from '@testing-library/react';
import { useEffect, useRef } from 'react';
import { Outlet, RouterProvider, createMemoryRouter } from 'react-router';
import { describe, expect, it } from 'vitest';
import { Announcer } from '@/app/Announcer';

function Passage() {
  const passage = useRef<HTMLElement>(null);
  useEffect(() => passage.current?.focus(), []);
  return (
    <>
      <h1>Walden</h1>
      <mark ref={passage} tabIndex={-1}>
        woods
      </mark>
    </>
  );
}

function open() {
  const router = createMemoryRouter(
    [
      {
        element: (
          <>
            <main>
              <Outlet />
            </main>
            <Announcer />
          </>
        ),
        children: [
          { path: '/', element: <h1>Home</h1> },
          { path: '/books', element: <h1>Books</h1> },
          { path: '/books/walden', element: <Passage /> },
        ],
      },
    ],
    { initialEntries: ['/'] },
  );
  render(<RouterProvider router={router} />);
  return router;
}

describe('after a navigation', () => {
  it('the heading of the page has the focus, on the first page nothing', async () => {
    const router = open();
    expect(document.body).toHaveFocus();
    await router.navigate('/books');
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Books' })).toHaveFocus());
  });

  it('a passage to which the link led keeps the focus', async () => {
    const router = open();
    document.title = 'Walden by Henry David Thoreau';
    await router.navigate('/books/walden');
    await waitFor(() => expect(screen.getByText('Walden by Henry David Thoreau')).toBeInTheDocument());
    expect(screen.getByText('woods')).toHaveFocus();
  });
});
