import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { CsvButton } from '@/features/admin/components/CsvButton';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { csvOf } from '@/features/admin/money/CodesPage';
import type { Code } from '@/features/admin/money/CodesPage';
import { MOST_CODES, giftFields, giftOf } from '@/features/admin/money/codeFields';
import { plansQuery } from '@/features/admin/money/plans';
import { readAgain } from '@/features/admin/paged';
import { forAdmins } from '@/features/admin/queries';
import { copyText } from '@/shared/referral/copyText';
import { plural } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { BackLink } from '@/ui/BackLink';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { RecordForm } from '@/ui/records/RecordForm';
import { textOf } from '@/ui/records/fields';
import type { FieldDef } from '@/ui/records/fields';

export const loader = () => forAdmins(() => queryClient.query(plansQuery()));

const MORE: readonly FieldDef[] = [
  { id: 'count', label: 'How many', type: 'text', inputType: 'number', required: true, half: true, helpText: `Up to ${MOST_CODES} at once.` },
  { id: 'note', label: 'Note', type: 'text', half: true, helpText: 'Who they are for. Shown in the audit log.' },
];

/** /admin/code-add: creates one code, or a batch. */
export function Component() {
  useTitle(ROUTES.adminCodeAdd.title);
  const { data: plans, error, refetch } = useQuery(plansQuery());
  const [made, setMade] = useState<readonly Code[]>([]);
  return (
    <>
      <BackLink to={paths.adminCodes}>{ROUTES.adminCodes.title}</BackLink>
      <h1 className="page__title">{ROUTES.adminCodeAdd.title}</h1>
      {plans ? (
        <div className="admin__single">
          <RecordForm
            fields={[...giftFields(plans), ...MORE]}
            loaded={{ values: { planId: '', months: '12', count: '1', note: '' }, version: null, by: null }}
            submitLabel={ROUTES.adminCodeAdd.title}
            submit={async (values) => {
              const count = Number(textOf(values, 'count'));
              if (!Number.isInteger(count) || count < 1 || count > MOST_CODES) {
                throw new ApiError({ status: 422, code: 'validation_failed', field: 'count', message: `Please specify a number between 1 and ${MOST_CODES}.` });
              }
              const { codes } = await call('POST /api/admin/codes', { body: { ...giftOf(plans, values), count, note: textOf(values, 'note').trim() || null } });
              setMade(codes);
              void readAgain('codes');
              return { message: `${plural(codes.length, 'code was', 'codes were')} made.` };
            }}
          />
          {made.length > 0 ? <MadeCodes codes={made} /> : null}
        </div>
      ) : error ? (
        <PageError error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label="Loading" />
      )}
    </>
  );
}

function MadeCodes({ codes }: { codes: readonly Code[] }) {
  const all = codes.map(({ code }) => code).join('\n');
  return (
    <section className="admin__panel" aria-labelledby="made">
      <h2 className="admin__panel-title" id="made">
        The codes
      </h2>
      <pre className="codes">{all}</pre>
      <div className="admin__buttons">
        <Button kind="primary" onClick={() => void copyText(all, 'Codes copied.')}>
          <Icon name="copy" />
          Copy
        </Button>
        <CsvButton file="codes" about="These codes" rows={() => csvOf(codes)} />
      </div>
    </section>
  );
}
