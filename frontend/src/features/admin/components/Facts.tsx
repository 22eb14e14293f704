import type { ReactNode } from 'react';

interface Props {
  facts: readonly (readonly [label: string, value: ReactNode])[];
}

/** Read-only data of a record, each with its label. */
export function Facts({ facts }: Props) {
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <div key={label} className="facts__row">
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
