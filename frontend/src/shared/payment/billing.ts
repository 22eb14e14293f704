// The member's plan with all charges, dues and credits: one query for the account, the cancellation and the menus.
import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { formatDay, formatMoney } from '@/lib/format';

export type Billing = ResultOf<'GET /api/user/billing'>;
export type MemberPlan = Billing['plan'];
export type TimelineEntry = Billing['timeline'][number];

export const billingQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'billing'],
    queryFn: ({ signal }) => call('GET /api/user/billing', { signal }),
    staleTime: 10_000,
    retryOnMount: false,
  });

/** After a change of the plan: caches it, and refetches other queries that include it. */
export async function cachePlan(plan: MemberPlan | null): Promise<void> {
  const { queryKey } = billingQuery();
  if (plan) {
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, (now) => now && { ...now, plan });
  }
  void queryClient.invalidateQueries({ queryKey });
  void queryClient.invalidateQueries({ queryKey: [viewer(), 'account'] });
  void queryClient.invalidateQueries({ queryKey: [viewer(), 'home'] });
}

/** '$59.99 on March 14, 2027' */
export const chargeText = ({ amount, at }: { amount: number; at: number }): string => `${formatMoney(amount)} on ${formatDay(at)}`;

/** The next event of a plan, in one line: the next charge, or that there is none. Null when there is nothing to say. */
export function nextText(plan: MemberPlan): string | null {
  const { state, nextCharge, endPaidDate, pausedUntil, graceEndsAt } = plan;
  const until = endPaidDate === null ? null : formatDay(endPaidDate);
  switch (state) {
    case 'trial':
      return nextCharge ? `First charge: ${chargeText(nextCharge)}` : until && `Trial until ${until}`;
    case 'active':
      return nextCharge ? `Next charge: ${chargeText(nextCharge)}` : until && `Until ${until}`;
    case 'past_due':
      return graceEndsAt === null ? 'The last payment failed' : `Payment failed. Active until ${formatDay(graceEndsAt)}`;
    case 'canceled':
      return until === null ? 'No further charge' : `Until ${until}. No further charge`;
    case 'paused':
      return pausedUntil === null ? 'Paused. No charge' : `Paused until ${formatDay(pausedUntil)}`;
    case 'lifetime':
      return 'For life. No further charge';
    case 'code':
      return until === null ? 'No further charge' : `Until ${until}. No further charge`;
    default:
      return null;
  }
}
