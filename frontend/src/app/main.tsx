import '@/ui/styles/layers.css';
import '@/ui/styles/fonts.css';
import '@/ui/styles/tokens.css';
import '@/ui/styles/hues.css';
import '@/ui/styles/base.css';
import '@/ui/styles/components.css';
import '@/app/app.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from '@/api/queryClient';
import { ReadyMarker } from '@/app/ReadyMarker';
import { countVisit } from '@/app/countVisit';
import { createRouter } from '@/app/router';
import type { Router } from '@/app/router';
import { seedQueries } from '@/app/seedQueries';
import { connectCopies, startOffline } from '@/app/startOffline';
import { watchSession } from '@/app/watchSession';
import { applyTheme, currentTheme, preferredTheme } from '@/shared/reader/theme';
import { markRendered } from '@/lib/firstRender';

// Applies the stored theme when the script in <head> was blocked.
applyTheme(document.documentElement.dataset['theme'] ? currentTheme() : preferredTheme());
/** The server's markup stays in #root until the first route has its code and data: it is replaced once, without layout shift. */
function render(router: Router): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root.');
  // A transition renders in slices, so that clicks and scrolling are not blocked by the whole page.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <ReadyMarker router={router} />
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
  markRendered();
  watchSession(router);
  startOffline(router);
  countVisit();
  // Not part of the first load. If the chunk can't be fetched, unsent changes stay stored for the next visit.
  import(/* webpackChunkName: "background" */ '@/app/background').then(
    ({ startInBackground }) => startInBackground(router),
    () => undefined,
  );
}

function start(): void {
  seedQueries();
  connectCopies();
  const router = createRouter();
  if (router.state.initialized) return render(router);
  const stop = router.subscribe((state) => {
    if (!state.initialized) return;
    stop();
    render(router);
  });
}

// A separate task: run together with the modules' code it would block clicks and scrolling for twice as long.
setTimeout(start);
