import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '@/features/admin/paths';
import { Figures } from '@/features/admin/stats/Figures';
import { statsQuery } from '@/features/admin/stats/queries';
import { rangeOf } from '@/features/admin/stats/range';
import { figuresOf } from '@/features/admin/stats/series';

/** The key figures of the last seven days, compared with the seven days before. */
export function WeekFigures() {
  const [range] = useState(() => rangeOf(new URLSearchParams({ days: '7' }), Date.now()));
  const { data } = useQuery(statsQuery(range));
  if (!data) return null;
  return (
    <section className="admin__week" aria-labelledby="week">
      <div className="admin__head">
        <h2 className="admin__start-title" id="week">
          Last 7 days
        </h2>
        <Link className="link admin__add" to={`${paths.adminStats}?days=7`}>
          Stats
        </Link>
      </div>
      <Figures label="The last 7 days" figures={figuresOf(data, true)} />
    </section>
  );
}
