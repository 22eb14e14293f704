import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '@/api/errors';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { SkeletonText } from '@/ui/Skeleton';

/** A section of the account page. Its heading takes the focus when the table of contents links to it. */
export function Section({ id, title, lead, children }: { id: string; title: string; lead?: string; children: ReactNode }) {
  return (
    <section className="account__section" id={id} aria-labelledby={`${id}-title`}>
      <h2 className="account__heading" id={`${id}-title`} tabIndex={-1}>
        {title}
      </h2>
      {lead ? <p className="account__lead">{lead}</p> : null}
      {children}
    </section>
  );
}

interface QueryContentProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  /** Announced to screen readers while loading. */
  loading: string;
  /** How many rows the skeleton has. */
  rows: number;
  children: (data: Data) => ReactNode;
}

/** A section's content once its data is loaded; a skeleton while loading, an error with a retry after a failure. */
export function QueryContent<Data>({ query: { data, error, refetch }, loading, rows, children }: QueryContentProps<Data>) {
  if (data !== undefined) return <>{children(data)}</>;
  if (error) {
    return (
      <div className="account__failed">
        <Alert kind="warning">{messageOf(error)}</Alert>
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    );
  }
  return (
    <div role="status">
      <span className="visually-hidden">{loading}</span>
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} className="setting" aria-hidden="true">
          <div className="setting__text">
            <SkeletonText width={22 + ((i * 13) % 20)} />
            <SkeletonText width={45 + ((i * 17) % 30)} />
          </div>
        </div>
      ))}
    </div>
  );
}
