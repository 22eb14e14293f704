import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { ListPage } from '@/features/admin/components/ListPage';
import { ListSearch } from '@/features/admin/components/ListSearch';
import { PagedTable } from '@/features/admin/components/PagedTable';
import { deleteWithUndo, usePendingDeletions } from '@/features/admin/components/pendingDeletions';
import { couponState, discountText } from '@/features/admin/money/couponFields';
import type { Coupon, CouponState } from '@/features/admin/money/couponFields';
import { wordsOf } from '@/features/admin/money/filters';
import { pagedQuery, readAgain } from '@/features/admin/paged';
import { forAdmins } from '@/features/admin/queries';
import { formatNumber, isoDate } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { Button, LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/State';
import type { Column } from '@/ui/records/DataTable';

/** All coupons at once: there are few, and the browser filters them. */
const couponsQuery = () => pagedQuery('coupons', {}, (_, signal) => call('GET /api/admin/coupons', { signal }));

export const loader = () => forAdmins(() => queryClient.infiniteQuery(couponsQuery()));

const STATES: Readonly<Record<CouponState, { label: string; tone: string }>> = {
  active: { label: 'Active', tone: 'badge--free' },
  scheduled: { label: 'Not started', tone: 'badge--soon' },
  over: { label: 'Ended', tone: 'badge--soon' },
  used_up: { label: 'Used up', tone: 'badge--soon' },
};

const columns = (now: number, remove: (coupon: Coupon) => void): readonly Column<Coupon>[] => [
  {
    id: 'code',
    header: 'Code',
    cell: ({ code }) => (
      <Link className="data-table__title tabular" to={paths.adminCouponEdit(code)}>
        {code}
      </Link>
    ),
  },
  { id: 'discount', header: 'Discount', cell: discountText, fit: true },
  { id: 'plans', header: 'Plans', cell: ({ plans }) => (plans.length === 0 ? 'All' : plans.join(', ')), fit: true, wide: true },
  { id: 'campaign', header: 'Campaign', cell: ({ campaign }) => campaign, fit: true, wide: true },
  {
    id: 'state',
    header: 'Status',
    cell: (coupon) => <span className={`badge ${STATES[couponState(coupon, now)].tone}`}>{STATES[couponState(coupon, now)].label}</span>,
    fit: true,
  },
  {
    id: 'uses',
    header: 'Uses',
    cell: ({ uses, maxUses }) => (maxUses === null ? formatNumber(uses) : `${formatNumber(uses)} of ${formatNumber(maxUses)}`),
    align: 'end',
    fit: true,
  },
  {
    id: 'days',
    header: 'Dates',
    cell: ({ startsAt, endsAt }) => (endsAt === null ? `from ${isoDate(startsAt)}` : `${isoDate(startsAt)} – ${isoDate(endsAt - 1)}`),
    fit: true,
    wide: true,
  },
  {
    id: 'delete',
    header: 'Delete',
    cell: (coupon) =>
      coupon.uses === 0 ? (
        <Button kind="quiet" aria-label={`Delete ${coupon.code}`} onClick={() => remove(coupon)}>
          Delete
        </Button>
      ) : null,
    fit: true,
    actions: true,
  },
];

/** Whether a coupon has the words, which are in upper case, in its code or its campaign. */
const matches = ({ code, campaign }: Coupon, words: string): boolean => code.includes(words) || (campaign ?? '').toUpperCase().includes(words);

/** /admin/coupons: discounts with a code. A used coupon can be ended but not deleted. */
export function Component() {
  useTitle(ROUTES.adminCoupons.title);
  const [search] = useSearchParams();
  const [now] = useState(() => Date.now());
  const words = wordsOf(search)?.toUpperCase();
  const pages = useInfiniteQuery(couponsQuery());
  const deleting = usePendingDeletions();
  const remove = ({ code }: Coupon) =>
    deleteWithUndo({
      key: `coupon ${code}`,
      text: `The coupon ${code} was deleted.`,
      run: () => call('DELETE /api/admin/coupons/{code}', { path: { code }, keepalive: true }),
      done: () => readAgain('coupons'),
    });
  return (
    <ListPage title="Coupons" add={{ label: ROUTES.adminCouponAdd.title, to: paths.adminCouponAdd }} tools={<ListSearch label="Code or campaign" />}>
      <PagedTable
        caption="Coupons"
        pages={pages}
        rowsOf={(page) => page.coupons.filter((coupon) => !deleting.has(`coupon ${coupon.code}`) && (words === undefined || matches(coupon, words)))}
        columns={columns(now, remove)}
        keyOf={({ code }) => code}
        nameOf={({ code }) => code}
        empty={
          words !== undefined ? (
            <EmptyState title="No coupons match" />
          ) : (
            <EmptyState
              title="No coupons yet"
              actions={
                <LinkButton kind="primary" to={paths.adminCouponAdd}>
                  {ROUTES.adminCouponAdd.title}
                </LinkButton>
              }
            >
              <p>A coupon takes a percentage or an amount off the first charge or every charge, on the days you choose.</p>
            </EmptyState>
          )
        }
      />
    </ListPage>
  );
}
