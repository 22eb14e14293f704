import { Link } from 'react-router';
import { call } from '@/api/client';
import { queryClient } from '@/api/queryClient';
import { AddRecord } from '@/features/admin/components/EditRecord';
import { KINDS, OWN_KINDS, PLAN_FIELDS, plansQuery, termsOf } from '@/features/admin/money/plans';
import { ROUTES, paths } from '@/features/admin/paths';
import { textOf } from '@/ui/records/fields';
import type { FieldDef } from '@/ui/records/fields';

const FIELDS: readonly FieldDef[] = [
  ...PLAN_FIELDS,
  {
    id: 'kind',
    label: 'Kind',
    type: 'normal-select',
    required: true,
    half: true,
    options: OWN_KINDS.map((kind) => ({ value: kind, label: KINDS[kind] ?? kind })),
    helpText: 'It can’t be changed later.',
  },
  { id: 'id', label: 'ID', type: 'text', required: true, half: true, helpText: 'In its address, /payment/student. It can’t be changed later.' },
];

/** /admin/plan-add: a plan that members buy for themselves (billing.plan-add). */
export function Component() {
  return (
    <AddRecord
      title={ROUTES.adminPlanAdd.title}
      back={{ to: paths.adminPlans, label: ROUTES.adminPlans.title }}
      fields={FIELDS}
      values={{ name: '', price: '', kind: 'monthly', id: '' }}
      submitLabel={ROUTES.adminPlanAdd.title}
      add={async (values) => {
        const { plan } = await call('POST /api/admin/plans', {
          body: { ...termsOf(values), kind: textOf(values, 'kind'), id: textOf(values, 'id').trim() },
        });
        void queryClient.invalidateQueries({ queryKey: plansQuery().queryKey });
        return {
          message: (
            <>
              {`Plan ${plan.name} was added and is on sale. `}
              <Link className="link" to={paths.adminPlans}>
                All plans
              </Link>
            </>
          ),
        };
      }}
    />
  );
}
