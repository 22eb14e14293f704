import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import { VIDEO } from '@/features/listening/wire';
import type { VideoResult } from '@/features/listening/wire';

export type Video = VideoResult;

/** A book's video. Its address lives for hours; a visit asks anew when it was fetched some while ago. */
export const videoQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'video', id],
    queryFn: async ({ signal }) => (await call(VIDEO, { path: { id }, signal } as never)) as unknown as Video,
    staleTime: 10 * 60_000,
    retryOnMount: false,
    refetchOnReconnect: false,
  });
