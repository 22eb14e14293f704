import { useMutation } from '@tanstack/react-query';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { allowanceQuery } from '@/shared/session/account';
import { bookQuery } from '@/features/reading-progress/reading/queries';

type Result = ResultOf<'GET /api/books/{id}'>;

/** The calls under way, by book: two presses, or two buttons of the page, are one call. */
const underWay = new Map<string, Promise<Result>>();

async function open(id: string): Promise<Result> {
  const { queryKey } = bookQuery(id);
  const shown = queryClient.getQueryData(queryKey);
  if (shown && shown.book.body !== null) return shown;
  const opened = await call('GET /api/books/{id}', { path: { id } });
  queryClient.setQueryData(queryKey, opened);
  queryClient.removeQueries({ queryKey: allowanceQuery().queryKey });
  queryClient.removeQueries({ queryKey: ['member', 'file'] });
  return opened;
}

/** Opens the full text of a book. The one call that takes a free summary: it follows a press only (reading-progress.page-takes-nothing). */
export const useOpenBook = (id: string) =>
  useMutation({
    mutationFn: () => {
      const opening = underWay.get(id) ?? open(id).finally(() => underWay.delete(id));
      underWay.set(id, opening);
      return opening;
    },
  });
