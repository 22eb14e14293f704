// The queries of a member's own pages, prefetched into the copies on the device.
import { queryClient } from '@/api/queryClient';
import { accountQuery } from '@/shared/session/account';
import { homeQuery } from '@/shared/catalogue/home';
import { historyQuery, insightQuery } from '@/features/catalogue/queries';
import { progressQuery } from '@/features/reading-progress/progress/queries';
import { libraryQuery, readingHistoryQuery } from '@/features/reading-progress/reading/queries';

/** The queries of home, library, history and progress. Cached data is not fetched again. */
export const memberPages = (): (() => Promise<unknown>)[] => [
  // The account first: it identifies the owner of the copies.
  () => queryClient.query(accountQuery()),
  () => queryClient.query(homeQuery()),
  () => queryClient.query(historyQuery()),
  () => queryClient.query(insightQuery()),
  () => queryClient.infiniteQuery(libraryQuery('all')),
  () => queryClient.infiniteQuery(readingHistoryQuery()),
  () => queryClient.query(progressQuery()),
];
