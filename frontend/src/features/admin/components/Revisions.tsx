// What the revisions of books and of other texts share: the list, and a comparison with the present version.
import { useMutation } from '@tanstack/react-query';
import { diffWordsWithSpace } from 'diff';
import { useSearchParams } from 'react-router';
import { messageOf } from '@/api/errors';
import { fieldName } from '@/features/admin/words';
import { formatMoment, plural } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/State';
import { DataTable } from '@/ui/records/DataTable';
import type { Column } from '@/ui/records/DataTable';
import { describeValue, differences } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';
import { plainText } from '@/ui/records/plainText';

interface Revision {
  id: number;
  version: number;
  at: number;
  by: string | null;
  changed: string[];
}

/** The id of the open revision, which is in the URL; null when none is open. */
export const useOpenRevision = (): string | null => useSearchParams()[0].get('revision');

/** All revisions of a record, latest first. */
export function RevisionTable<Row extends Revision>({
  title,
  revisions,
  more = [],
}: {
  title: string;
  revisions: readonly Row[];
  more?: readonly Column<Row>[];
}) {
  const open = useOpenRevision();
  const columns: readonly Column<Row>[] = [
    { id: 'version', header: 'Version', cell: ({ version }) => version, align: 'end', fit: true },
    {
      id: 'at',
      header: 'Saved',
      cell: ({ id, at }) => (
        <RevisionLink id={id} open={open === String(id)}>
          {formatMoment(at)}
        </RevisionLink>
      ),
      fit: true,
    },
    { id: 'by', header: 'By', cell: ({ by }) => by ?? 'the server' },
    { id: 'changed', header: 'Changed', cell: ({ changed }) => [...new Set(changed.map(fieldName))].join(', '), wide: true },
    ...more,
  ];
  return revisions.length === 0 ? (
    <EmptyState title="Not changed yet" />
  ) : (
    <DataTable caption={title} columns={columns} rows={revisions} keyOf={({ id }) => String(id)} nameOf={({ at }) => formatMoment(at)} />
  );
}

function RevisionLink({ id, open, children }: { id: number; open: boolean; children: string }) {
  const [, setSearch] = useSearchParams();
  return (
    <button type="button" className="link" aria-expanded={open} onClick={() => setSearch(open ? {} : { revision: String(id) }, { replace: true })}>
      {children}
    </button>
  );
}

interface ComparisonProps {
  fields: readonly FieldDef[];
  /** What the revision says. */
  then: Values;
  /** What the record says. */
  now: Values;
  restore: () => Promise<unknown>;
}

/** Compares a revision with the present record, field by field, with a button to restore it. */
export function Comparison({ fields, then, now, restore }: ComparisonProps) {
  const restoration = useMutation({ mutationFn: restore });
  const different = differences(fields, then, now);
  const changed = fields.filter(({ id }) => different.includes(id));
  return (
    <section className="admin__panel" aria-labelledby="comparison">
      <h2 className="admin__panel-title" id="comparison">
        {changed.length === 0 ? 'Same as the current version' : `${plural(changed.length, 'difference')} from the current version`}
      </h2>
      {restoration.isError ? <Alert kind="warning">{messageOf(restoration.error)}</Alert> : null}
      {changed.map((field) => (
        <div key={field.id}>
          <h3>{field.label}</h3>
          <p className="diff">
            {diffWordsWithSpace(plainText(describeValue(field, then[field.id])), plainText(describeValue(field, now[field.id]))).map(
              ({ value, added, removed }, index) =>
                added ? <ins key={index}>{value}</ins> : removed ? <del key={index}>{value}</del> : <span key={index}>{value}</span>,
            )}
          </p>
        </div>
      ))}
      <p className="admin__note">Struck-out text was in this version; underlined text has been added since.</p>
      {changed.length === 0 ? null : (
        <Button kind="primary" busy={restoration.isPending} busyText="Restoring" onClick={() => restoration.mutate()}>
          Restore this version
        </Button>
      )}
    </section>
  );
}
