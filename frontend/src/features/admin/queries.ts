import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { RequestOf, ResultOf } from '@/api/types';
import { accountQuery } from '@/shared/session/account';
import { isStaff } from '@/features/admin/areas';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';

export type Message = ResultOf<'GET /api/admin/messages'>['messages'][number];
export type Mail = ResultOf<'GET /api/admin/mails'>['mails'][number];

type MessagesFilter = Pick<NonNullable<RequestOf<'GET /api/admin/messages'>['query']>, 'about' | 'kind' | 'done' | 'q'>;
type MailsFilter = Pick<NonNullable<RequestOf<'GET /api/admin/mails'>['query']>, 'state'>;

/** Stale time, in milliseconds: short, because several admins work at the same time. */
const FRESH = 5_000;
/** Polling interval while a mail is queued, in milliseconds. */
const LOOK = 4_000;

/** The counts of what needs attention. */
export const overviewQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'overview'],
    queryFn: ({ signal }) => call('GET /api/admin/overview', { signal }),
    staleTime: FRESH,
    refetchOnWindowFocus: true,
    retryOnMount: false,
  });

export const messagesKey = () => [viewer(), 'admin', 'messages'] as const;

/** The inbox, latest first. */
export const messagesQuery = (filter: MessagesFilter) =>
  infiniteQueryOptions({
    queryKey: [...messagesKey(), filter],
    queryFn: ({ pageParam, signal }) => call('GET /api/admin/messages', { query: { ...filter, ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    staleTime: FRESH,
    refetchOnWindowFocus: true,
    retryOnMount: false,
  });

export type AnsweredMessage = ResultOf<'GET /api/admin/messages/{id}'>;

/** A message with the replies to it. */
export const messageQuery = (id: number) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'message', id],
    queryFn: ({ signal }) => call('GET /api/admin/messages/{id}', { path: { id: String(id) }, signal }),
    staleTime: FRESH,
    retryOnMount: false,
  });

/** Reasons for leaving, in a range of days. */
export const reasonsQuery = ({ from, to }: { from: string; to: string }) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'reasons', from, to],
    queryFn: ({ signal }) => call('GET /api/admin/messages/reasons', { query: { from, to }, signal }),
    staleTime: FRESH,
    // A change of the range keeps the tables until the new data is loaded.
    placeholderData: keepPreviousData,
    retryOnMount: false,
  });

export const mailsKey = () => [viewer(), 'admin', 'mails'] as const;

const isQueued = ({ state }: Mail) => state === 'queued' || state === 'sending';

/** The mails, latest first. */
export const mailsQuery = (filter: MailsFilter) =>
  infiniteQueryOptions({
    queryKey: [...mailsKey(), filter],
    queryFn: ({ pageParam, signal }) => call('GET /api/admin/mails', { query: { ...filter, ...(pageParam !== null && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    staleTime: FRESH,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.mails.some(isQueued)) ? LOOK : false),
    retryOnMount: false,
  });

/** For loaders: fetches only for an admin; the layout handles all other roles. */
export const forAdmins = (ask: () => Promise<unknown>): Promise<null> =>
  settleBeforeFirstRender(queryClient.query(accountQuery()).then((user) => (user.role === 'admin' ? ask() : null)));

/** For loaders: fetches for editors and admins. */
export const forStaff = (ask: () => Promise<unknown>): Promise<null> =>
  settleBeforeFirstRender(queryClient.query(accountQuery()).then((user) => (isStaff(user.role) ? ask() : null)));
