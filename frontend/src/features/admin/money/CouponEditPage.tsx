import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import { EditRecord } from '@/features/admin/components/EditRecord';
import { couponFields, couponOf, loadedOf } from '@/features/admin/money/couponFields';
import type { Coupon } from '@/features/admin/money/couponFields';
import { plansQuery } from '@/features/admin/money/plans';
import { forAdmins } from '@/features/admin/queries';
import { formatNumber } from '@/lib/format';
import { ROUTES, paths } from '@/features/admin/paths';

const couponQuery = (code: string) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'coupons', 'one', code] as readonly unknown[],
    queryFn: async ({ signal }): Promise<Coupon> => (await call('GET /api/admin/coupons/{code}', { path: { code }, signal })).coupon,
    staleTime: 0,
    retryOnMount: false,
  });

export const loader = ({ params }: LoaderFunctionArgs) =>
  forAdmins(() => Promise.all([queryClient.query(couponQuery(params['code'] ?? '')), queryClient.query(plansQuery())]));

/** /admin/coupon-edit/{code} */
export function Component() {
  const { code = '' } = useParams();
  const query = couponQuery(code);
  const { data: plans = [] } = useQuery(plansQuery());
  return (
    <EditRecord
      title={`Coupon ${code}`}
      back={{ to: paths.adminCoupons, label: ROUTES.adminCoupons.title }}
      missing="There is no coupon with this code."
      query={query}
      fields={couponFields(false, plans)}
      loadedOf={loadedOf}
      save={async (values) =>
        (await call('PUT /api/admin/coupons/{code}', { path: { code }, body: couponOf(values, queryClient.getQueryData<Coupon>(query.queryKey) ?? null) }))
          .coupon
      }
      success="Coupon was updated."
      submitLabel="Update coupon"
      aside={({ uses }) => (
        <section className="admin__panel" aria-label="Uses">
          <dl className="facts">
            <div className="facts__row">
              <dt>Used so far</dt>
              <dd className="tabular">{formatNumber(uses)}</dd>
            </div>
          </dl>
          <p className="admin__note">Changes here do not affect past discounts.</p>
        </section>
      )}
    />
  );
}
