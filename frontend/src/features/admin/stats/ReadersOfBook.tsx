import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { viewer } from '@/api/queryClient';
import { Section } from '@/features/admin/stats/Section';
import { Share } from '@/features/admin/stats/Share';
import { bookStatsQuery } from '@/features/admin/stats/queries';
import type { Stats } from '@/features/admin/stats/queries';
import type { Range } from '@/features/admin/stats/range';
import { formatShare } from '@/features/admin/stats/series';
import { formatNumber, plural } from '@/lib/format';
import { useDebounced } from '@/lib/useDebounced';
import { Alert } from '@/ui/Alert';
import { SkeletonText } from '@/ui/Skeleton';
import { Picker } from '@/ui/records/Picker';

/** How many readers of one book reached each key idea. Initially shows the most opened book. */
export function ReadersOfBook({ range, first }: { range: Range; first: Stats['topBooks'][number] | null }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const q = useDebounced(typed.trim());
  const { data: found } = useQuery({
    queryKey: [viewer(), 'admin', 'books', 'found', q],
    queryFn: ({ signal }) => call('GET /api/admin/books', { query: { q }, signal }),
    enabled: q.length > 1,
    staleTime: 10_000,
  });
  const bookId = chosen ?? (first ? String(first.id) : null);
  const { data, error } = useQuery({ ...bookStatsQuery(bookId ?? '', range), enabled: bookId !== null });
  const options = [...(q.length > 1 ? (found?.books ?? []) : []).map(({ id, title }) => ({ value: String(id), label: title }))];
  const labels: Record<string, string> = { ...(first && { [String(first.id)]: first.title }), ...(data && bookId !== null && { [bookId]: data.title }) };
  return (
    <Section
      title="Where readers stop"
      {...(data && {
        csv: {
          file: `readers-of-${bookId ?? ''}-${range.from}-${range.to}`,
          rows: () => [['Key idea', 'Title', 'Readers'], ...data.sections.map(({ place, title, reached }) => [String(place + 1), title, String(reached)])],
        },
      })}
    >
      <div className="stats__book">
        <Picker
          label="Book"
          options={options}
          labels={labels}
          value={bookId === null ? [] : [bookId]}
          onQuery={setTyped}
          onChange={(values) => setChosen(values.at(-1) ?? null)}
          placeholder="Type a title"
        />
      </div>
      {bookId === null ? <p className="admin__note">No book was opened in this period. Choose one to see its readers.</p> : null}
      {error && !data ? <Alert kind="warning">{messageOf(error)}</Alert> : null}
      {bookId !== null && !data && !error ? <SkeletonText width={60} /> : null}
      {data?.readers === 0 ? <p className="admin__note">Nobody opened it in this period.</p> : null}
      {data && data.readers > 0 ? (
        <>
          <p className="admin__note">{`${plural(data.readers, 'reader')}, ${formatShare(data.completed / data.readers)} finished it.`}</p>
          <table className="data-table">
            <caption className="visually-hidden">{`Readers of ${data.title} by key idea`}</caption>
            <thead>
              <tr>
                <th scope="col">Key idea</th>
                <th scope="col" className="data-table__cell--end">
                  Readers
                </th>
                <th scope="col" className="data-table__cell--end">
                  Share
                </th>
                <td className="stats__bar-head" />
              </tr>
            </thead>
            <tbody>
              {data.sections.map(({ place, title, reached }) => (
                <tr key={place}>
                  <th scope="row" className="stats__row-title">
                    {`${place + 1}. ${title}`}
                  </th>
                  <td className="data-table__cell--end">{formatNumber(reached)}</td>
                  <td className="data-table__cell--end">{formatShare(reached / data.readers)}</td>
                  <td className="stats__bar">
                    <Share of={reached / data.readers} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      ) : null}
    </Section>
  );
}
