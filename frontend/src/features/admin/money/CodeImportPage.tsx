import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { call } from '@/api/client';
import { ApiError, messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import type { ResultOf } from '@/api/types';
import { CsvButton } from '@/features/admin/components/CsvButton';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { parseCsv } from '@/features/admin/csv';
import { giftFields, giftOf } from '@/features/admin/money/codeFields';
import { plansQuery } from '@/features/admin/money/plans';
import type { Plan } from '@/features/admin/money/plans';
import { readAgain } from '@/features/admin/paged';
import { forAdmins } from '@/features/admin/queries';
import { formatNumber, plural } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { Alert } from '@/ui/Alert';
import { BackLink } from '@/ui/BackLink';
import { Button } from '@/ui/Button';
import { DataTable } from '@/ui/records/DataTable';
import type { Column } from '@/ui/records/DataTable';
import { FieldControl } from '@/ui/records/FieldControl';
import { firstFailure, shownFields } from '@/ui/records/fields';
import type { Values } from '@/ui/records/fields';

export const loader = () => forAdmins(() => queryClient.query(plansQuery()));

type Report = ResultOf<'POST /api/admin/codes/import'>;
type Line = Report['lines'][number];

/** The maximum number of lines in a file. */
const MOST_LINES = 5000;

/** The codes in a CSV file: from its column 'code', or else from the first column. A header line is skipped. */
export function codesOf(text: string): string[] {
  const rows = parseCsv(text);
  const named = rows[0]?.findIndex((cell) => /^"?\s*(redemption )?code\s*"?$/i.test(cell)) ?? -1;
  return (named >= 0 ? rows.slice(1) : rows).map((row) => (row[Math.max(named, 0)] ?? '').trim()).filter((code) => code !== '');
}

/** /admin/code-import: imports a marketplace's codes from a CSV file. The file is checked first; a report lists the outcome of each line. */
export function Component() {
  useTitle(ROUTES.adminCodeImport.title);
  const { data: plans, error, refetch } = useQuery(plansQuery());
  return (
    <>
      <BackLink to={paths.adminCodes}>{ROUTES.adminCodes.title}</BackLink>
      <h1 className="page__title">{ROUTES.adminCodeImport.title}</h1>
      <p className="admin__lead">
        A CSV file with one code per line, or with a column named “code”. Nothing is imported until you have seen the result for each line.
      </p>
      {plans ? <Import plans={plans} /> : error ? <PageError error={error} onRetry={() => void refetch()} /> : <RowsSkeleton label="Loading" />}
    </>
  );
}

interface Chosen {
  name: string;
  codes: readonly string[];
}

function Import({ plans }: { plans: readonly Plan[] }) {
  const id = useId();
  const fields = giftFields(plans);
  const [values, setValues] = useState<Values>({ planId: '', months: '12' });
  const [file, setFile] = useState<Chosen | null>(null);
  const [failure, setFailure] = useState<{ id: string | null; message: string } | null>(null);
  const [report, setReport] = useState<(Report & { isDone: boolean }) | null>(null);
  const [busy, setBusy] = useState(false);

  const change = () => {
    setReport(null);
    setFailure(null);
  };
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    change();
    const codes = codesOf(await chosen.text());
    if (codes.length === 0 || codes.length > MOST_LINES) {
      setFile(null);
      setFailure({
        id: 'file',
        message:
          codes.length === 0
            ? 'There are no codes in this file.'
            : `Please import at most ${formatNumber(MOST_LINES)} codes at once. This file has ${formatNumber(codes.length)}.`,
      });
    } else setFile({ name: chosen.name, codes });
  };
  const send = async (dryRun: boolean) => {
    if (busy) return;
    const failed = firstFailure(fields, values) ?? (file ? null : { id: 'file', message: 'Please specify File.' });
    if (failed || !file) {
      setFailure(failed);
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      const answer = await call('POST /api/admin/codes/import', { body: { ...giftOf(plans, values), codes: [...file.codes], dryRun } });
      setReport({ ...answer, isDone: !dryRun });
      if (!dryRun) void readAgain('codes');
    } catch (error) {
      setFailure({ id: error instanceof ApiError ? error.field : null, message: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  const fine = report?.lines.filter(({ result }) => result === 'imported').length ?? 0;
  return (
    <div className="admin__single">
      <form
        className="record-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send(report === null || report.isDone || fine === 0);
        }}
      >
        {failure ? <Alert kind="warning">{failure.message}</Alert> : null}
        {report?.isDone ? <Alert kind="success">{`${plural(report.imported, 'code was', 'codes were')} imported.`}</Alert> : null}
        <div className="record-form__fields">
          {shownFields(fields, values).map((field) => (
            <div key={field.id} className="record-form__field record-form__field--half">
              <FieldControl
                field={field}
                values={values}
                error={failure?.id === field.id ? failure.message : null}
                onChange={(value) => {
                  change();
                  setValues({ ...values, [field.id]: value });
                }}
              />
            </div>
          ))}
          <div className="record-form__field">
            <div className="field">
              <label className="field__label" htmlFor={id}>
                File*
              </label>
              <input
                id={id}
                name="file"
                className="input"
                type="file"
                accept=".csv,.txt,text/csv,text/plain"
                onChange={({ target }) => void choose(target.files?.[0])}
              />
              {file ? <p className="field__hint">{`${file.name} · ${plural(file.codes.length, 'code')}`}</p> : null}
            </div>
          </div>
        </div>
        <div className="record-form__bar">
          {report === null || report.isDone || fine === 0 ? (
            <Button type="submit" kind="primary" busy={busy} busyText="Checking">
              Check the file
            </Button>
          ) : (
            <Button type="submit" kind="primary" busy={busy} busyText="Importing">
              {`Import ${plural(fine, 'code')}`}
            </Button>
          )}
        </div>
      </form>
      {report ? <ReportTable report={report} /> : null}
    </div>
  );
}

const RESULTS: Readonly<Record<string, { done: string; todo: string; tone: string }>> = {
  imported: { done: 'Imported', todo: 'Can be imported', tone: 'badge--free' },
  already_there: { done: 'Already exists', todo: 'Already exists', tone: 'badge--soon' },
  invalid: { done: 'Not a code', todo: 'Not a code', tone: 'badge--warn' },
};

function ReportTable({ report: { lines, isDone } }: { report: Report & { isDone: boolean } }) {
  const word = (result: Line['result']) => (isDone ? RESULTS[result]?.done : RESULTS[result]?.todo) ?? result;
  const count = (result: Line['result']) => lines.filter((line) => line.result === result).length;
  const columns: readonly Column<Line>[] = [
    { id: 'line', header: 'Line', cell: ({ line }) => line, align: 'end', fit: true },
    { id: 'code', header: 'Code', cell: ({ code }) => <code className="tabular">{code}</code> },
    {
      id: 'result',
      header: 'Result',
      cell: ({ result }) => <span className={`badge ${RESULTS[result]?.tone ?? ''}`}>{word(result)}</span>,
      fit: true,
    },
    { id: 'error', header: 'Why', cell: ({ error }) => error ?? '', wide: true },
  ];
  return (
    <section className="admin__panel" aria-labelledby="report">
      <h2 className="admin__panel-title" id="report">
        Line by line
      </h2>
      <p className="admin__note" role="status">
        {(['imported', 'already_there', 'invalid'] as const)
          .filter((result) => count(result) > 0)
          .map((result) => `${word(result)}: ${formatNumber(count(result))}`)
          .join(' · ')}
      </p>
      <DataTable caption="Line by line" columns={columns} rows={lines} keyOf={({ line }) => String(line)} nameOf={({ code }) => code} />
      <CsvButton
        file="import-report"
        about="The report"
        rows={() => [['Line', 'Code', 'Result', 'Why'], ...lines.map(({ line, code, result, error }) => [String(line), code, word(result), error ?? ''])]}
      />
    </section>
  );
}
