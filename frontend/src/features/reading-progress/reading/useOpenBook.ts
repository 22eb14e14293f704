import { useMutation } from '@tanstack/react-query';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { allowanceQuery } from '@/shared/session/account';
import { bookQuery } from '@/features/reading-progress/reading/queries';

type Result = ResultOf<'GET /api/books/{id}'>;

/** Calls in flight, by book: two presses, or two buttons of the page, make one call. */
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

/** Opens the full text of a book. The only call that uses a free summary, so it only follows a button press (reading-progress.page-takes-nothing). */
export const useOpenBook = (id: string) =>
  useMutation({
    mutationFn: () => {
      const opening = underWay.get(id) ?? open(id).finally(() => underWay.delete(id));
      underWay.set(id, opening);
      return opening;
    },
  });
