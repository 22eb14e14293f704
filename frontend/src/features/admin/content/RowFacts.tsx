import { Link } from 'react-router';
import { Facts } from '@/features/admin/components/Facts';
import { formatMoment } from '@/lib/format';

interface Props {
  /** 'This goal'. */
  title: string;
  row: { updatedAt: number | null; updatedBy: string | null };
  /** Additional facts with their labels. */
  facts?: readonly (readonly [label: string, value: string])[];
  /** The path of its public page. */
  site?: string;
  /** The path of its revisions. */
  revisions?: string;
}

/** Who saved a record last, and a link to its public page. */
export function RowFacts({ title, row: { updatedAt, updatedBy }, facts = [], site, revisions }: Props) {
  const all = [
    ...facts,
    ['Saved', updatedAt === null ? 'Not changed yet' : formatMoment(updatedAt)],
    ...(updatedBy === null ? [] : [['By', updatedBy] as const]),
  ] as const;
  return (
    <section className="admin__panel" aria-labelledby="row-facts">
      <h2 className="admin__panel-title" id="row-facts">
        {title}
      </h2>
      <Facts facts={all} />
      <div className="admin__buttons">
        {site === undefined ? null : (
          <Link className="button button--secondary" to={site}>
            See it on the site
          </Link>
        )}
        {revisions === undefined ? null : (
          <Link className="button button--secondary" to={revisions}>
            Revisions
          </Link>
        )}
      </div>
    </section>
  );
}
