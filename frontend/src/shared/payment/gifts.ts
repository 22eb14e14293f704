// Gifts: where they go, and what is read of them (billing.gift-delivery).
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { formatDay } from '@/lib/format';

export type Gift = NonNullable<ResultOf<'POST /api/charge/confirm'>['gift']>;
export type GivenGift = ResultOf<'GET /api/gifts'>['gifts'][number];

/** The gifts that the member has given. */
export const giftsQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'gifts'],
    queryFn: ({ signal }) => call('GET /api/gifts', { signal }),
    staleTime: 10_000,
    retryOnMount: false,
  });

/** The fewest characters of a code, without dashes and blanks (billing.code-format). */
const CODE_MIN_CHARS = 16;

/** Whether a text can be a code: only then the server is asked, which counts every try. */
export const canBeCode = (code: string): boolean => code.replace(/[-\s]/g, '').length >= CODE_MIN_CHARS;

/** The giver and the words of a gift's code. Asked once: each question counts as a try to redeem. */
export const giftCardQuery = (code: string) =>
  queryOptions({
    queryKey: [viewer(), 'gift-card', code],
    queryFn: ({ signal }) => call('POST /api/gifts/find', { body: { code }, signal }),
    staleTime: Infinity,
    retry: false,
    retryOnMount: false,
    enabled: canBeCode(code),
  });

/** 'Grace (grace@example.com)', as far as either is known; '' when neither is. */
export const recipientOf = ({ recipientName, recipientEmail }: Gift): string => {
  const name = recipientName.trim();
  return recipientEmail === null ? name : name === '' ? recipientEmail : `${name} (${recipientEmail})`;
};

/** To whom a gift goes and when, in a sentence. */
export function deliveryText(gift: Gift): string {
  const to = recipientOf(gift);
  if (gift.code !== null) return to === '' ? 'The code came to you.' : `For ${to}. The code came to you.`;
  const whom = to === '' ? '' : ` to ${to}`;
  return gift.deliveredAt === null ? `We mail it${whom} on ${formatDay(gift.deliverAt)}.` : `Mailed${whom} on ${formatDay(gift.deliveredAt)}.`;
}
