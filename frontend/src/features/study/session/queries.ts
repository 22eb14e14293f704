import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import type { SessionRequest } from '@/features/study/session/request';
import type { CompletedIdea } from '@/shared/study/completedIdeas';

export type StudySession = ResultOf<'POST /api/study/session'>;
export type SessionIdea = StudySession['ideas'][number];

export const sessionQuery = ({ minutes, topic }: SessionRequest) =>
  queryOptions({
    queryKey: [viewer(), 'session', minutes, topic],
    queryFn: ({ signal }) => call('POST /api/study/session', { body: { minutes, ...(topic && { topic }) }, signal }),
    // It must not change under the reader, also when a saved place invalidates what the member has read.
    staleTime: 'static',
    // The loader has just fetched it: a failure is shown, not retried at once.
    retryOnMount: false,
  });

/** An idea as it is completed. */
export const completedOf = ({ book, section, sections, title }: SessionIdea): CompletedIdea => ({ bookId: book.id, section, sections, idea: title });
