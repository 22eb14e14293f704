import { useId } from 'react';
import type { ReactNode } from 'react';
import { CsvButton } from '@/features/admin/components/CsvButton';

interface Props {
  title: string;
  note?: string;
  /** Shown instead of the content, when there is none. */
  empty?: string | null;
  csv?: { file: string; rows: () => readonly (readonly string[])[] };
  /** Full width. */
  whole?: boolean;
  children: ReactNode;
}

/** A part of the statistics that is a table itself. */
export function Section({ title, note, empty = null, csv, whole = false, children }: Props) {
  const id = useId();
  return (
    <section className={whole ? 'chart chart--whole' : 'chart'} aria-labelledby={id}>
      <div className="chart__head">
        <h2 className="chart__title" id={id}>
          {title}
        </h2>
        {csv && empty === null ? <CsvButton file={csv.file} about={title} rows={csv.rows} /> : null}
      </div>
      {note === undefined ? null : <p className="admin__note">{note}</p>}
      {empty === null ? children : <p className="admin__note chart__empty">{empty}</p>}
    </section>
  );
}
