import { queryOptions } from '@tanstack/react-query';
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { centsOf } from '@/features/admin/money/amounts';
import { textOf } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';

export type Plan = ResultOf<'GET /api/admin/plans'>['plans'][number];

export const plansQuery = () =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'plans'],
    queryFn: async ({ signal }): Promise<Plan[]> => (await call('GET /api/admin/plans', { signal })).plans,
    staleTime: 5_000,
    retryOnMount: false,
  });

/** The kinds of the plans that a member buys for themselves: these can be added, archived and given by codes. */
export const OWN_KINDS: readonly string[] = ['monthly', 'yearly', 'lifetime'];

/** What each kind of plan is. */
export const KINDS: Readonly<Record<string, string>> = {
  monthly: 'Renews each month',
  yearly: 'Renews each year',
  lifetime: 'Once, for life',
  gift: 'A year for a person',
  bulk: 'A year for each seat',
  once: 'Once',
};

/** Whether codes can give this plan. */
export const canBeGiven = ({ kind, archived }: Plan): boolean => !archived && OWN_KINDS.includes(kind);

/** The fields that a new plan and an existing one share. */
export const PLAN_FIELDS: readonly FieldDef[] = [
  { id: 'name', label: 'Name', type: 'text', required: true, half: true },
  { id: 'price', label: 'Price', type: 'text', required: true, half: true, helpText: 'In US dollars: 59.99' },
];

/** The typed name and price, in cents. */
export function termsOf(values: Values): { name: string; price: number } {
  const price = centsOf(textOf(values, 'price'));
  if (price === null) throw new ApiError({ status: 422, code: 'validation_failed', field: 'price', message: 'Please specify a price like 59.99.' });
  return { name: textOf(values, 'name').trim(), price };
}
