import type { Plan, Quote } from '@/shared/payment/checkout';
import { infographicsToday } from '@/shared/payment/infographics';
import { formatMoney } from '@/lib/format';

/** The numbers of infographics that can be added (billing.infographic-options). */
const COUNTS = [0, 20, 50] as const;

interface Props {
  plans: readonly Plan[];
  quote: Quote;
  value: number;
  onChange: (count: number) => void;
}

/** The note for plans that include all infographics while they run. */
const WHILE_IT_RUNS = 'Your plan lets you download all of them while it runs. What you add here stays yours when the plan ends.';
const OF_THE_PLAN: Partial<Record<Quote['kind'], string>> = {
  monthly: WHILE_IT_RUNS,
  yearly: WHILE_IT_RUNS,
  lifetime: 'Lifetime lets you download all of them for good: no need to add any.',
};

/** The choice of infographics to buy with the plan. */
export function AddOns({ plans, quote, value, onChange }: Props) {
  const offered = COUNTS.map((count) => ({ count, price: count === 0 ? 0 : plans.find(({ id }) => id === `infographics-${count}`)?.price })).filter(
    (one): one is { count: (typeof COUNTS)[number]; price: number } => one.price !== undefined,
  );
  if (offered.length < 2) return null;
  return (
    <fieldset className="choices">
      <legend className="choices__legend">Add infographics</legend>
      <p className="field__hint">{`Whole books on one sheet, to print or to keep, paid once. ${infographicsToday(quote.infographicsToday)}`}</p>
      {OF_THE_PLAN[quote.kind] === undefined ? null : <p className="field__hint">{OF_THE_PLAN[quote.kind]}</p>}
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
