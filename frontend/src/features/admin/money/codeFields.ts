// Fields for the plan that a code gives, shared by the forms that create and import codes.
import { canBeGiven } from '@/features/admin/money/plans';
import type { Plan } from '@/features/admin/money/plans';
import { textOf } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';

/** How many codes can be created at once. */
export const MOST_CODES = 1000;

/** Whether the chosen plan is a lifetime plan, which has no months. */
const isForLife = (plans: readonly Plan[], values: Values): boolean => plans.find(({ id }) => id === textOf(values, 'planId'))?.kind === 'lifetime';

export const giftFields = (plans: readonly Plan[]): readonly FieldDef[] => [
  {
    id: 'planId',
    label: 'Plan',
    type: 'normal-select',
    required: true,
    half: true,
    options: plans.filter(canBeGiven).map(({ id, name }) => ({ value: id, label: name })),
  },
  { id: 'months', label: 'Months', type: 'text', inputType: 'number', required: true, half: true, showIf: (values) => !isForLife(plans, values) },
];

/** The plan and its months, from the form's values. */
export const giftOf = (plans: readonly Plan[], values: Values): { planId: string; months: number | null } => ({
  planId: textOf(values, 'planId'),
  months: isForLife(plans, values) ? null : Math.trunc(Number(textOf(values, 'months'))),
});
