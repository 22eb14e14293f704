// What a code gives: fields that making and importing have in common.
import { canBeGiven } from '@/features/admin/money/plans';
import type { Plan } from '@/features/admin/money/plans';
import { textOf } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';

/** The most codes of one press. */
export const MOST_CODES = 1000;

export const giftFields = (plans: readonly Plan[]): readonly FieldDef[] => [
  { id: 'planId', label: 'Plan', type: 'normal-select', required: true, half: true, options: plans.filter(canBeGiven).map(({ id, name }) => ({ value: id, label: name })) },
  { id: 'months', label: 'Months', type: 'text', inputType: 'number', half: true, helpText: 'Empty: for life.' },
];

/** The plan and its months of a form. */
export function giftOf(values: Values): { planId: string; months: number | null } {
  const months = textOf(values, 'months').trim();
  return { planId: textOf(values, 'planId'), months: months === '' ? null : Math.trunc(Number(months)) };
}
