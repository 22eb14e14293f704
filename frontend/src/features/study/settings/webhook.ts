// The URL to which a member's new highlights are posted (study.highlight-webhook).
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { formatAgo } from '@/lib/ago';

export type Webhook = ResultOf<'PUT /api/study/webhook'>['webhook'];
type Attempt = NonNullable<Webhook['last']>;

export const webhookQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'study-webhook'],
    queryFn: async ({ signal }) => (await call('GET /api/study/webhook', { signal })).webhook ?? null,
    retryOnMount: false,
  });

export const cacheWebhook = (webhook: Webhook | null): void => {
  queryClient.setQueryData(webhookQuery().queryKey, webhook);
};

/** The latest attempt in words → 'Answered with 204, 2 hours ago.', 'It did not answer within 10 seconds. Tried yesterday.' */
export function attemptText({ at, status, error }: Attempt, now: number): string {
  const ago = formatAgo(at, now);
  return error === '' ? `Answered with ${status ?? 'success'}, ${ago}.` : `${error} Last tried ${ago}.`;
}

/** The status by which a receiver says that the URL is no more. */
const GONE = 410;

/** Why a webhook was switched off. */
export const offReason = ({ last }: Webhook): string =>
  last?.status === GONE
    ? 'It was switched off because the URL answered that it is gone.'
    : 'It was switched off because nothing could be posted to it for a day.';
