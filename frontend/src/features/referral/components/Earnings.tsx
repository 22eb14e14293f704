import { formatMoney, formatNumber } from '@/lib/format';

interface Figure {
  label: string;
  value: number;
  isMoney?: boolean;
  note?: string;
}

/** Figures side by side, each with an explanation. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <dl className="earnings" aria-label={label}>
      {figures.map(({ label, value, isMoney, note }) => (
        <div key={label} className="earnings__figure">
          <dt className="earnings__label">{label}</dt>
          <dd className="earnings__value">{isMoney ? formatMoney(value) : formatNumber(value)}</dd>
          {note ? <dd className="earnings__note">{note}</dd> : null}
        </div>
      ))}
    </dl>
  );
}

interface Sums {
  pending: number;
  payable: number;
  paid: number;
}

/** Earnings by state: pending, payable, paid (referral.earnings-shown). */
export function Earnings({ pending, payable, paid }: Sums) {
  return (
    <Figures
      label="Earnings"
      figures={[
        { label: 'Pending', value: pending, isMoney: true, note: 'For 30 days, in case it is refunded' },
        { label: 'Due to you', value: payable, isMoney: true },
        { label: 'Paid out', value: paid, isMoney: true },
      ]}
    />
  );
}
