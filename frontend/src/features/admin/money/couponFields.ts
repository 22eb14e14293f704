// The form of a coupon: its fields, and the request body (billing.coupon-terms).
import { ApiError } from '@/api/errors';
import type { RequestOf, ResultOf } from '@/api/types';
import { amountText, centsOf } from '@/features/admin/money/amounts';
import type { Plan } from '@/features/admin/money/plans';
import { formatMoney, isoDate } from '@/lib/format';
import type { Loaded } from '@/ui/records/RecordForm';
import { listOf, textOf } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';

export type Coupon = ResultOf<'GET /api/admin/coupons/{code}'>['coupon'];
type Body = RequestOf<'POST /api/admin/coupons'>['body'];

const isAmount = (values: Values): boolean => textOf(values, 'discount') === 'amount';

export const couponFields = (isNew: boolean, plans: readonly Plan[]): readonly FieldDef[] => [
  isNew
    ? { id: 'code', label: 'Code', type: 'text', required: true, half: true, helpText: 'Letters, digits, -, _ and %. Capitalization does not matter.' }
    : { id: 'code', label: 'Code', type: 'readonly', half: true },
  { id: 'campaign', label: 'Campaign', type: 'text', half: true, helpText: 'To find it by in the list of coupons.' },
  {
    id: 'discount',
    label: 'Discount',
    type: 'normal-select',
    required: true,
    half: true,
    options: [
      { value: 'percent', label: 'A percentage' },
      { value: 'amount', label: 'An amount' },
    ],
  },
  { id: 'percent', label: 'Percent off', type: 'text', inputType: 'number', required: true, half: true, showIf: (values) => !isAmount(values) },
  { id: 'amount', label: 'Amount off', type: 'text', required: true, half: true, helpText: 'In US dollars: 10.00', showIf: isAmount },
  {
    id: 'charges',
    label: 'Off',
    type: 'normal-select',
    required: true,
    half: true,
    options: [
      { value: 'first', label: 'The first charge' },
      { value: 'every', label: 'Every charge' },
    ],
    helpText: 'Every charge: renewals cost less too, for as long as the subscription runs.',
  },
  {
    id: 'plans',
    label: 'Plans',
    type: 'multi-select',
    half: true,
    options: plans.map(({ id, name }) => ({ value: id, label: name })),
    helpText: 'If left empty, it is for all plans.',
  },
  { id: 'startsAt', label: 'First day', type: 'date', required: true, half: true },
  { id: 'endsAt', label: 'Last day', type: 'date', half: true, helpText: 'If left empty, it does not expire.' },
  { id: 'maxUses', label: 'Maximum uses', type: 'text', inputType: 'number', half: true, helpText: 'If left empty, there is no limit.' },
];

const DAY = 86_400_000;

export const newCoupon = (now: number): Values => ({
  code: '',
  campaign: '',
  discount: 'percent',
  percent: '',
  amount: '',
  charges: 'first',
  plans: [],
  startsAt: isoDate(now),
  endsAt: '',
  maxUses: '',
});

/** Converts the end time to the coupon's last day, which is how people think of it. */
export const valuesOf = ({ code, campaign, percent, amount, everyCharge, plans, startsAt, endsAt, maxUses }: Coupon): Values => ({
  code,
  campaign: campaign ?? '',
  discount: amount === null ? 'percent' : 'amount',
  percent: percent === null ? '' : String(percent),
  amount: amount === null ? '' : amountText(amount),
  charges: everyCharge ? 'every' : 'first',
  plans,
  startsAt: isoDate(startsAt),
  endsAt: endsAt === null ? '' : isoDate(endsAt - 1),
  maxUses: maxUses === null ? '' : String(maxUses),
});

export const loadedOf = (coupon: Coupon): Loaded => ({ values: valuesOf(coupon), version: null, by: null });

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);

/** The amount off in cents. */
function amountOf(values: Values): number {
  const cents = centsOf(textOf(values, 'amount'));
  if (cents === null) throw new ApiError({ status: 422, code: 'validation_failed', field: 'amount', message: 'Please specify an amount like 10.00.' });
  return cents;
}

/** The request body. Start and end keep their exact time when the day was not changed. */
export function couponOf(values: Values, before: Coupon | null): Body {
  const now = before && valuesOf(before);
  const start = textOf(values, 'startsAt');
  const end = textOf(values, 'endsAt');
  const most = textOf(values, 'maxUses').trim();
  return {
    code: textOf(values, 'code').trim().toUpperCase(),
    campaign: textOf(values, 'campaign').trim() || null,
    percent: isAmount(values) ? null : Number(textOf(values, 'percent')),
    amount: isAmount(values) ? amountOf(values) : null,
    everyCharge: textOf(values, 'charges') === 'every',
    plans: [...listOf(values, 'plans')],
    startsAt: before && now?.['startsAt'] === start ? before.startsAt : day(start),
    endsAt: end === '' ? null : before && now?.['endsAt'] === end ? before.endsAt : day(end) + DAY,
    maxUses: most === '' ? null : Number(most),
  };
}

/** '40%', '$10.00 off every charge' */
export function discountText({ percent, amount, everyCharge }: Coupon): string {
  const off = amount === null ? `${percent ?? 0}%` : formatMoney(amount);
  return everyCharge ? `${off} off every charge` : off;
}

export type CouponState = 'active' | 'scheduled' | 'over' | 'used_up';

/** A coupon's state at a point in time. */
export function couponState({ startsAt, endsAt, maxUses, uses }: Coupon, now: number): CouponState {
  if (endsAt !== null && endsAt <= now) return 'over';
  if (maxUses !== null && uses >= maxUses) return 'used_up';
  return startsAt > now ? 'scheduled' : 'active';
}
