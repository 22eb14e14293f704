import type { Plan } from '@/domain/checkout';
import { formatMoney } from '@/lib/format';

/** The numbers of infographics that can be added (member.md §9). */
const COUNTS = [0, 20, 50] as const;

interface Props {
  plans: readonly Plan[];
  value: number;
  onChange: (count: number) => void;
}

/** Infographics that are bought with the plan. */
export function AddOns({ plans, value, onChange }: Props) {
  const offered = COUNTS.map((count) => ({ count, price: count === 0 ? 0 : plans.find(({ id }) => id === `infographics-${count}`)?.price })).filter(
    (one): one is { count: (typeof COUNTS)[number]; price: number } => one.price !== undefined,
  );
  if (offered.length < 2) return null;
  return (
    <fieldset className="choices">
      <legend className="choices__legend">Add infographics</legend>
      <p className="field__hint">Whole books on one sheet, to print or to keep. The newest, paid once.</p>
      <div className="choices__list">
        {offered.map(({ count, price }) => (
          <label key={count} className="choice">
            <input type="radio" className="choice__input" name="addInfographics" value={count} checked={value === count} onChange={() => onChange(count)} />
            <span className="choice__label">{count === 0 ? 'None' : `${count} infographics`}</span>
            {count === 0 ? null : <span className="choice__price tabular">{`+ ${formatMoney(price)}`}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
