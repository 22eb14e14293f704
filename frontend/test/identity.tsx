// The identity pages on a memory router, without the frame around them.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import type { RouteObject } from 'react-router';
import { queryClient } from '@/api/queryClient';

export function openPages(pages: RouteObject[], address: string, state?: unknown) {
  const [path = '', hash] = address.split('#');
  const [pathname = '', search] = path.split('?');
  const entry = { pathname, search: search ? `?${search}` : '', hash: hash ? `#${hash}` : '', state };
  const router = createMemoryRouter([...pages, { path: '*', element: <p>elsewhere</p> }], { initialEntries: [entry] });
  render(
    <QueryClientProvider client={queryClient}>
      <main>
        <RouterProvider router={router} />
      </main>
    </QueryClientProvider>,
  );
  return { router, at: () => router.state.location.pathname + router.state.location.search };
}

export const fill = async (fields: Record<string, string>) => {
  for (const [label, value] of Object.entries(fields)) await userEvent.type(await screen.findByLabelText(label), value);
};

export const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
