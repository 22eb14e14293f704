import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { queryClient, viewer } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { Facts } from '@/features/admin/components/Facts';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { MemberLink } from '@/features/admin/money/MemberLink';
import { OrderState } from '@/features/admin/money/OrdersPage';
import { RefundDialog } from '@/features/admin/money/RefundDialog';
import { nameOf, providerName } from '@/features/admin/money/names';
import { readAgain } from '@/features/admin/paged';
import { forAdmins } from '@/features/admin/queries';
import { formatDay, formatMoment, formatMoney } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/features/admin/paths';
import { BackLink } from '@/ui/BackLink';
import { Button } from '@/ui/Button';

type Order = ResultOf<'GET /api/admin/orders/{id}'>['order'];
type Charge = Order['charges'][number];

const orderQuery = (id: string) =>
  queryOptions({
    queryKey: [viewer(), 'admin', 'orders', 'one', id],
    queryFn: async ({ signal }) => (await call('GET /api/admin/orders/{id}', { path: { id }, signal })).order,
    staleTime: 0,
    retryOnMount: false,
  });

export const loader = ({ params }: LoaderFunctionArgs) => forAdmins(() => queryClient.query(orderQuery(params['id'] ?? '')));

/** /admin/orders/{id}: one order, its charges, and its history. */
export function Component() {
  const { id = '' } = useParams();
  useTitle(`Order #${id}`);
  const { data: order, error, refetch } = useQuery(orderQuery(id));
  return (
    <>
      <BackLink to={paths.adminOrders}>Orders</BackLink>
      <div className="admin__head">
        <h1 className="page__title" tabIndex={-1}>{`Order #${id}`}</h1>
        {order ? <OrderState state={order.state} /> : null}
      </div>
      {order ? (
        <Details order={order} />
      ) : error ? (
        <PageError
          error={error}
          back={{ to: paths.adminOrders, label: 'Orders', what: 'There is no order with this number.' }}
          onRetry={() => void refetch()}
        />
      ) : (
        <RowsSkeleton label="Loading the order" />
      )}
    </>
  );
}

function Details({ order }: { order: Order }) {
  const [refunding, setRefunding] = useState<Charge | null>(null);
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Member', <MemberLink key="member" member={order.member} email={order.email} />],
    ['Bought', order.quantity > 1 ? `${order.planName} × ${order.quantity}` : order.planName],
    ['Date', formatMoment(order.at)],
    ['Paid by', providerName(order.provider)],
    ['Amount', formatMoney(order.amount)],
    ['Refunded', order.refunded === 0 ? 'Nothing' : formatMoney(order.refunded)],
    ['Fees', order.fee === 0 ? 'None' : formatMoney(order.fee)],
    ['Coupon', order.coupon ?? 'None'],
    [
      'Renews',
      order.renewal
        ? `${formatMoney(order.renewal.price)} each ${order.renewal.months === 1 ? 'month' : order.renewal.months === 12 ? 'year' : `${order.renewal.months} months`}`
        : 'No',
    ],
    ...(order.trialEndsAt === null ? [] : [['Trial', `until ${formatDay(order.trialEndsAt)}`] as const]),
    ...(order.referral === null ? [] : [['Referred by', order.referral] as const]),
    ...(order.providerId === null ? [] : [[`${providerName(order.provider)} ID`, order.providerId] as const]),
  ];
  return (
    <div className="admin__split">
      <div>
        <section className="admin__panel" aria-labelledby="charges">
          <h2 className="admin__panel-title" id="charges">
            Charges
          </h2>
          {order.charges.length === 0 ? <p className="admin__note">Nothing was charged.</p> : null}
          {order.charges.length > 0 ? (
            <table className="data-table">
              <caption className="visually-hidden">Charges</caption>
              <thead>
                <tr>
                  <th scope="col" className="data-table__cell data-table__cell--fit">
                    Date
                  </th>
                  <th scope="col" className="data-table__cell data-table__cell--end">
                    Amount
                  </th>
                  <th scope="col" className="data-table__cell data-table__cell--end">
                    Refunded
                  </th>
                  <th scope="col" className="data-table__cell data-table__cell--end">
                    <span className="visually-hidden">Refund</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {order.charges.map((charge) => (
                  <tr key={charge.id}>
                    <td className="data-table__cell data-table__cell--fit">{formatDay(charge.at)}</td>
                    <td className="data-table__cell data-table__cell--end">{formatMoney(charge.amount)}</td>
                    <td className="data-table__cell data-table__cell--end">{charge.refunded === 0 ? '' : formatMoney(charge.refunded)}</td>
                    <td className="data-table__cell data-table__cell--end">
                      {charge.refundable > 0 ? (
                        <Button kind="quiet" aria-label={`Refund the charge of ${formatDay(charge.at)}`} onClick={() => setRefunding(charge)}>
                          Refund…
                        </Button>
                      ) : null}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : null}
        </section>
        <section className="admin__panel" aria-labelledby="history">
          <h2 className="admin__panel-title" id="history">
            History
          </h2>
          <ol className="history">
            {order.history.map(({ id, at, kind, title, why, amount }) => (
              <li key={id} className="history__item">
                <time className="history__at" dateTime={new Date(at).toISOString()}>
                  {formatMoment(at)}
                </time>
                <span className="history__what">
                  <b>{nameOf(kind)}</b>
                  <span className="history__why">{why ?? title}</span>
                </span>
                <span className="history__amount">{amount === 0 ? '' : formatMoney(amount)}</span>
              </li>
            ))}
          </ol>
        </section>
      </div>
      <aside className="admin__aside">
        <section className="admin__panel" aria-label="Details">
          <Facts facts={facts} />
        </section>
      </aside>
      {refunding ? (
        <RefundDialog
          charge={refunding}
          onClose={() => setRefunding(null)}
          onDone={() => {
            setRefunding(null);
            void readAgain('orders', 'ledger', 'stats');
          }}
        />
      ) : null}
    </div>
  );
}
