import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { amountText } from '@/features/admin/money/amounts';
import { OWN_KINDS, PLAN_FIELDS, plansQuery, termsOf } from '@/features/admin/money/plans';
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
import { isOn } from '@/ui/records/fields';
import type { FieldDef } from '@/ui/records/fields';

export const loader = () => forAdmins(() => queryClient.query(plansQuery()));

const ARCHIVED: FieldDef = { id: 'archived', label: 'Archived', type: 'switch' };

const fieldsOf = ({ kind }: Plan): readonly FieldDef[] => (OWN_KINDS.includes(kind) ? [...PLAN_FIELDS, ARCHIVED] : PLAN_FIELDS);

const loadedOf = ({ name, price, archived, version }: Plan): Loaded => ({ values: { name, price: amountText(price), archived }, version, by: null });

/** /admin/plan-edit/{id}: a plan's name and price, and whether it is sold. Existing subscribers keep their price (billing.plan-archive). */
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
          {OWN_KINDS.includes(plan.kind) ? <p className="admin__note">An archived plan is no longer sold. Members who have it keep it.</p> : null}
          <RecordForm
            key={id}
            fields={fieldsOf(plan)}
            loaded={loadedOf(plan)}
            openDrafts={() => recordDrafts(`plans/${id}`)}
            submitLabel="Update plan"
            submit={async (values, version) => {
              const saved = await call('PUT /api/admin/plans/{id}', {
                path: { id },
                body: { ...termsOf(values), archived: isOn(values, 'archived'), version },
              });
              queryClient.setQueryData(plansQuery().queryKey, (before) => before?.map((one) => (one.id === id ? saved.plan : one)));
              const message = saved.plan.archived
                ? 'Plan was updated. It is archived.'
                : `Plan was updated. New purchases cost ${formatMoney(saved.plan.price)}.`;
              return { message, loaded: loadedOf(saved.plan) };
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
