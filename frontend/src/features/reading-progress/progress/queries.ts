import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';

/** How much the member remembers, for each category (study.recall-figures). */
export const recallQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'study-recall'],
    queryFn: ({ signal }) => call('GET /api/study/recall', { signal }),
    retryOnMount: false,
  });

export const progressQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'progress'],
    queryFn: ({ signal }) => call('GET /api/user-book-history/xp', { signal }),
    // The loader has just fetched it: a failure is shown, not retried at once.
    retryOnMount: false,
  });

/** A year of reading (reading-progress.year-of-reading). Under the key of the progress, so that it is fetched again whenever the progress is. */
export const yearQuery = (year: string) =>
  queryOptions({
    queryKey: [viewer(), 'progress', year],
    queryFn: ({ signal }) => call('GET /api/user/years/{year}', { path: { year }, signal }),
    retryOnMount: false,
  });
