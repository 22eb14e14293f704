import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import type { RequestOf, ResultOf } from '@/api/types';

export type Setup = ResultOf<'GET /api/setup'>;
export type SetupContent = RequestOf<'POST /api/setup'>['body']['content'];

/**
 * What the setup page starts with; not found once the site is set up. Read once, and under a visitor's key also after the first
 * admin is signed in: the page goes on.
 */
export const setupQuery = () =>
  queryOptions({
    queryKey: ['visitor', 'setup'],
    queryFn: ({ signal }) => call('GET /api/setup', { signal }),
    staleTime: Infinity,
    retryOnMount: false,
  });
