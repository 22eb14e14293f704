import { Link, useSearchParams } from 'react-router';
import { PER } from '@/features/billing/checkout/terms';
import { formatMoney } from '@/lib/format';
import { paths } from '@/paths';
import type { Plan } from '@/shared/payment/checkout';

/** The kinds of full-access plans, between which a buyer chooses. */
const KINDS: ReadonlySet<string> = new Set(['monthly', 'yearly', 'lifetime']);

/** Links to the other full-access plans (billing.plan-choice). They keep the URL's other parameters. */
export function PlanChoice({ plans, plan: current }: { plans: readonly Plan[]; plan: Plan | undefined }) {
  const [params] = useSearchParams();
  const choices = plans.filter(({ kind }) => KINDS.has(kind));
  if (!current || !KINDS.has(current.kind) || choices.length < 2) return null;
  const query = params.toString();
  return (
    <nav aria-label="Plans">
      <ul className="plan-choice">
        {choices.map(({ id, name, kind, price }) => (
          <li key={id}>
            <Link
              className="plan-choice__plan"
              to={query ? `${paths.payment(id)}?${query}` : paths.payment(id)}
              replace
              preventScrollReset
              aria-current={id === current.id ? 'true' : undefined}
            >
              <span>{name}</span>
              <span className="plan-choice__price tabular">{`${formatMoney(price)} ${PER[kind] ?? 'once'}`}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
