// What runs beside the pages, apart from the first load: what earlier visits could not send, and reading time.
import type { createBrowserRouter } from 'react-router';
import { session } from '@/api/session';
import { startPositionSync } from '@/shared/positions/positionSync';
import { hasUnsent } from '@/shared/study/studyFlags';
import { unsentIdeas } from '@/shared/study/unsentIdeas';

/** Starts it. What can't be loaded is done on the next visit. */
export function startInBackground(router: ReturnType<typeof createBrowserRouter>): void {
  startPositionSync(router);
  if (hasUnsent()) {
    import(/* webpackChunkName: "study-sync" */ '@/shared/study/studySync').then(
      ({ syncStudy }) => syncStudy(),
      () => undefined,
    );
  }
  if (unsentIdeas(null).length > 0) {
    import(/* webpackChunkName: "send-completed-ideas" */ '@/shared/study/completedIdeas').then(
      ({ sendCompletedIdeas }) => sendCompletedIdeas(),
      () => undefined,
    );
  }
  countReadingTime();
}

/** Counts reading time once a member is signed in. */
function countReadingTime(): void {
  if (session.token() !== null) {
    startCounting();
    return;
  }
  // Also called while nobody is signed in, when another tab has cleared the storage.
  const stop = session.subscribe(() => {
    if (session.token() === null) return;
    stop();
    startCounting();
  });
}

function startCounting(): void {
  import(/* webpackChunkName: "count-reading" */ '@/shared/readingTime/countReading').then(
    (counting) => counting.startCounting(),
    () => undefined,
  );
}
