// The form of a member: its fields, and the request body.
import type { RequestOf } from '@/api/types';
import type { UserDetail } from '@/features/admin/users/queries';
import { formatMoney, isoDate } from '@/lib/format';
import type { Loaded } from '@/ui/records/RecordForm';
import { textOf } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';

const NAMES: readonly FieldDef[] = [
  { id: 'firstName', label: 'First name', type: 'text', required: true, half: true },
  { id: 'lastName', label: 'Last name', type: 'text', required: true, half: true },
];

export const NEW_USER_FIELDS: readonly FieldDef[] = [
  ...NAMES,
  { id: 'email', label: 'E-mail', type: 'text', inputType: 'email', required: true, helpText: 'The link to set a password is sent to it.' },
];

export const fieldsOf = ({ plans, planId, planName }: UserDetail): readonly FieldDef[] => [
  ...NAMES,
  {
    id: 'email',
    label: 'E-mail',
    type: 'text',
    inputType: 'email',
    required: true,
    helpText: 'A new address ends the member’s sessions and is confirmed by email.',
  },
  {
    id: 'planId',
    label: 'Plan',
    type: 'normal-select',
    half: true,
    options: [
      { value: '', label: 'Free' },
      ...plans.map(({ id, name }) => ({ value: id, label: name })),
      ...(planId !== null && plans.every(({ id }) => id !== planId) ? [{ value: planId, label: planName ?? planId }] : []),
    ],
    helpText: 'Giving or withdrawing a plan is recorded in the ledger.',
  },
  { id: 'endPaidDate', label: 'End paid date', type: 'date', half: true },
  { id: 'paidDate', label: 'Paid date', type: 'readonly', half: true },
  { id: 'paymentMethod', label: 'Payment method', type: 'readonly', half: true },
];

export const valuesOf = (user: UserDetail): Values => ({
  firstName: user.firstName,
  lastName: user.lastName,
  email: user.email,
  planId: user.planId ?? '',
  endPaidDate: user.endPaidDate === null ? '' : isoDate(user.endPaidDate),
  paidDate: user.paidDate === null ? '' : isoDate(user.paidDate),
  paymentMethod: user.paymentMethod ?? '',
});

export const loadedOf = (user: UserDetail): Loaded => ({ values: valuesOf(user), version: null, by: null });

type Change = RequestOf<'PUT /api/admin/user'>['body'];

/** The request body. Plan and end date are included only when changed, so that no plan is granted by accident. */
export function changeOf(user: UserDetail, values: Values): Change {
  const before = valuesOf(user);
  const planId = textOf(values, 'planId');
  const end = textOf(values, 'endPaidDate');
  return {
    userId: user.id,
    firstName: textOf(values, 'firstName').trim(),
    lastName: textOf(values, 'lastName').trim(),
    email: textOf(values, 'email').trim(),
    ...(planId !== before['planId'] && { planId }),
    ...(end !== before['endPaidDate'] && { endPaidDate: end === '' ? null : Date.parse(`${end}T00:00:00Z`) }),
  };
}

/** A member's payments in words: '$59.99, $10.00 of it refunded'. */
export const paidInWords = ({ total, refunded }: UserDetail['paid']): string =>
  total === 0 ? 'Nothing yet' : refunded === 0 ? formatMoney(total) : `${formatMoney(total)}, ${formatMoney(refunded)} of it refunded`;
