// The whole app on a memory router: layout, middleware, lazy pages.
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { discoverRoutes, routes } from '@/app/routes';
import { watchSession } from '@/app/watchSession';

export function openApp(address: string) {
  const router = createMemoryRouter(routes, { initialEntries: [address], patchRoutesOnNavigation: discoverRoutes });
  const stop = watchSession(router);
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return {
    router,
    at: () => router.state.location.pathname + router.state.location.search,
    close: () => {
      stop();
      view.unmount();
      router.dispose();
    },
  };
}
