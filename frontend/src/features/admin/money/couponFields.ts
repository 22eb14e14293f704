// The form of a coupon: its fields, and the request body.
import type { RequestOf, ResultOf } from '@/api/types';
import { isoDate } from '@/lib/format';
import type { Loaded } from '@/ui/records/RecordForm';
import { textOf } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';

export type Coupon = ResultOf<'GET /api/admin/coupons/{code}'>['coupon'];
type Body = RequestOf<'POST /api/admin/coupons'>['body'];

export const couponFields = (isNew: boolean): readonly FieldDef[] => [
  isNew
    ? { id: 'code', label: 'Code', type: 'text', required: true, half: true, helpText: 'Letters, digits, -, _ and %. Capitalization does not matter.' }
    : { id: 'code', label: 'Code', type: 'readonly', half: true },
  { id: 'percent', label: 'Percent off', type: 'text', inputType: 'number', required: true, half: true, helpText: 'Off the first charge only.' },
  { id: 'startsAt', label: 'First day', type: 'date', required: true, half: true },
  { id: 'endsAt', label: 'Last day', type: 'date', half: true, helpText: 'If left empty, it does not expire.' },
  { id: 'maxUses', label: 'Maximum uses', type: 'text', inputType: 'number', half: true, helpText: 'If left empty, there is no limit.' },
];

const DAY = 86_400_000;

export const newCoupon = (now: number): Values => ({ code: '', percent: '', startsAt: isoDate(now), endsAt: '', maxUses: '' });

/** Converts the end time to the coupon's last day, which is how people think of it. */
export const valuesOf = ({ code, percent, startsAt, endsAt, maxUses }: Coupon): Values => ({
  code,
  percent: String(percent),
  startsAt: isoDate(startsAt),
  endsAt: endsAt === null ? '' : isoDate(endsAt - 1),
  maxUses: maxUses === null ? '' : String(maxUses),
});

export const loadedOf = (coupon: Coupon): Loaded => ({ values: valuesOf(coupon), version: null, by: null });

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);

/** The request body. Start and end keep their exact time when the day was not changed. */
export function couponOf(values: Values, before: Coupon | null): Body {
  const now = before && valuesOf(before);
  const start = textOf(values, 'startsAt');
  const end = textOf(values, 'endsAt');
  const most = textOf(values, 'maxUses').trim();
  return {
    code: textOf(values, 'code').trim().toUpperCase(),
    percent: Number(textOf(values, 'percent')),
    startsAt: before && now?.['startsAt'] === start ? before.startsAt : day(start),
    endsAt: end === '' ? null : before && now?.['endsAt'] === end ? before.endsAt : day(end) + DAY,
    maxUses: most === '' ? null : Number(most),
  };
}

export type CouponState = 'active' | 'scheduled' | 'over' | 'used_up';

/** A coupon's state at a point in time. */
export function couponState({ startsAt, endsAt, maxUses, uses }: Coupon, now: number): CouponState {
  if (endsAt !== null && endsAt <= now) return 'over';
  if (maxUses !== null && uses >= maxUses) return 'used_up';
  return startsAt > now ? 'scheduled' : 'active';
}
