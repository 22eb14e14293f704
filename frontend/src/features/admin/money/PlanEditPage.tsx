import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { amountText, centsOf } from '@/features/admin/money/amounts';
import { plansQuery } from '@/features/admin/money/plans';
import type { Plan } from '@/features/admin/money/plans';
import { forAdmins } from '@/features/admin/queries';
import { recordDrafts } from '@/shared/offline/recordDrafts';
import { formatMoney, plural } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { BackLink } from '@/ui/BackLink';
import { NotFound } from '@/ui/NotFound';
import { RecordForm } from '@/ui/records/RecordForm';
import type { Loaded } from '@/ui/records/RecordForm';
import { textOf } from '@/ui/records/fields';
import type { FieldDef } from '@/ui/records/fields';

export const loader = () => forAdmins(() => queryClient.query(plansQuery()));

const FIELDS: readonly FieldDef[] = [
  { id: 'name', label: 'Name', type: 'text', required: true, half: true },
  { id: 'price', label: 'Price', type: 'text', required: true, half: true, helpText: 'In US dollars: 59.99' },
];

const loadedOf = ({ name, price, version }: Plan): Loaded => ({ values: { name, price: amountText(price) }, version, by: null });

/** /admin/plan-edit/{id}: a plan's name and price. Existing subscribers keep their price. */
export function Component() {
  const { id = '' } = useParams();
  const { data: plans, error, refetch } = useQuery(plansQuery());
  const plan = plans?.find((one) => one.id === id);
  const title = plan ? `Plan ${plan.name}` : 'Plan';
  useTitle(title);
  const back = { to: paths.adminPlans, label: ROUTES.adminPlans.title };
  if (plans && !plan) return <NotFound what="There is no plan with this name." to={back.to} label={back.label} />;
  return (
    <>
      <BackLink to={back.to}>{back.label}</BackLink>
      <h1 className="page__title">{title}</h1>
      {plan ? (
        <div className="admin__single">
          {plan.subscribers > 0 ? (
            <p className="admin__note">{`${plural(plan.subscribers, 'member renews', 'members renew')} this plan and ${plan.subscribers === 1 ? 'keeps' : 'keep'} the price they agreed to.`}</p>
          ) : null}
          <RecordForm
            key={id}
            fields={FIELDS}
            loaded={loadedOf(plan)}
            openDrafts={() => recordDrafts(`plans/${id}`)}
            submitLabel="Update plan"
            submit={async (values, version) => {
              const price = centsOf(textOf(values, 'price'));
              if (price === null) throw new ApiError({ status: 422, code: 'validation_failed', field: 'price', message: 'Please specify a price like 59.99.' });
              const saved = await call('PUT /api/admin/plans/{id}', { path: { id }, body: { name: textOf(values, 'name').trim(), price, version } });
              queryClient.setQueryData(plansQuery().queryKey, (before) => before?.map((one) => (one.id === id ? saved.plan : one)));
              return { message: `Plan was updated. New purchases cost ${formatMoney(saved.plan.price)}.`, loaded: loadedOf(saved.plan) };
            }}
            reload={async () => {
              const now = (await queryClient.query({ ...plansQuery(), staleTime: 0 })).find((one) => one.id === id);
              return loadedOf(now ?? plan);
            }}
          />
        </div>
      ) : error ? (
        <PageError error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label="Loading the plan" />
      )}
    </>
  );
}
