import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';

export type Video = ResultOf<'GET /api/books/{id}/video'>;

/** A book's video. Its presigned URL is valid for hours; a visit refetches an older one. */
export const videoQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'video', id],
    queryFn: ({ signal }) => call('GET /api/books/{id}/video', { path: { id }, signal }),
    staleTime: 10 * 60_000,
    retryOnMount: false,
    refetchOnReconnect: false,
  });
