// Gifts: their delivery, and the card that the recipient sees (billing.gift-delivery).
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { formatDay } from '@/lib/format';

export type Gift = NonNullable<ResultOf<'POST /api/charge/confirm'>['gift']>;
export type GivenGift = ResultOf<'GET /api/gifts'>['gifts'][number];

export const giftsQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'gifts'],
    queryFn: ({ signal }) => call('GET /api/gifts', { signal }),
    staleTime: 10_000,
    retryOnMount: false,
  });

/** Minimum length of a code, without dashes and spaces (billing.code-format). */
const CODE_MIN_CHARS = 16;

/** Whether a text can be a code. The server is asked only then, because it counts every request as an attempt. */
export const canBeCode = (code: string): boolean => code.replace(/[-\s]/g, '').length >= CODE_MIN_CHARS;

/** The giver and message of a gift, by its code. Never refetched: each request counts as an attempt to redeem. */
export const giftCardQuery = (code: string) =>
  queryOptions({
    queryKey: [viewer(), 'gift-card', code],
    queryFn: ({ signal }) => call('POST /api/gifts/find', { body: { code }, signal }),
    staleTime: Infinity,
    retry: false,
    retryOnMount: false,
    enabled: canBeCode(code),
  });

/** 'Grace (grace@example.com)', or the part of it that is known; '' when neither is. */
export const recipientOf = ({ recipientName, recipientEmail }: Gift): string => {
  const name = recipientName.trim();
  return recipientEmail === null ? name : name === '' ? recipientEmail : `${name} (${recipientEmail})`;
};

/** A sentence about the recipient and the delivery date. */
export function deliveryText(gift: Gift): string {
  const to = recipientOf(gift);
  if (gift.code !== null) return to === '' ? 'We sent the code to you.' : `For ${to}. We sent the code to you.`;
  const whom = to === '' ? '' : ` to ${to}`;
  return gift.deliveredAt === null ? `We will email it${whom} on ${formatDay(gift.deliverAt)}.` : `Emailed${whom} on ${formatDay(gift.deliveredAt)}.`;
}
