import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { billingQuery, nextText } from '@/shared/payment/billing';
import { paths } from '@/paths';

/** The plan's name and next charge, linking to the account. Renders nothing without a plan or while loading. */
export function PlanLine({ ask = true, className }: { ask?: boolean; className: string }) {
  const { data } = useQuery({ ...billingQuery(), enabled: ask });
  const next = data ? nextText(data.plan) : null;
  if (!data || next === null) return null;
  return (
    <Link className={`plan-line ${className}`} to={paths.subscription}>
      <span className="plan-line__name">{data.plan.planName ?? 'Premium'}</span> <span className="plan-line__next">{next}</span>
    </Link>
  );
}
