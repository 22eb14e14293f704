import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { AddRecord } from '@/features/admin/components/EditRecord';
import { couponFields, couponOf, newCoupon } from '@/features/admin/money/couponFields';
import { plansQuery } from '@/features/admin/money/plans';
import { readAgain } from '@/features/admin/paged';
import { ROUTES, paths } from '@/features/admin/paths';
import { forAdmins } from '@/features/admin/queries';

export const loader = () => forAdmins(() => queryClient.query(plansQuery()));

/** /admin/coupon-add */
export function Component() {
  const { data: plans = [] } = useQuery(plansQuery());
  const [values] = useState(() => newCoupon(Date.now()));
  return (
    <AddRecord
      title={ROUTES.adminCouponAdd.title}
      back={{ to: paths.adminCoupons, label: ROUTES.adminCoupons.title }}
      fields={couponFields(true, plans)}
      values={values}
      submitLabel={ROUTES.adminCouponAdd.title}
      add={async (typed) => {
        const { coupon } = await call('POST /api/admin/coupons', { body: couponOf(typed, null) });
        void readAgain('coupons');
        return {
          message: (
            <>
              {`Coupon ${coupon.code} was added. `}
              <Link className="link" to={paths.adminCoupons}>
                All coupons
              </Link>
            </>
          ),
        };
      }}
    />
  );
}
