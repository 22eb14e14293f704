import { useState } from 'react';
import type { ReactNode } from 'react';
import type { User } from '@/api/types';
import { FreeSummaries } from '@/shared/account/FreeSummaries';
import { chargeText } from '@/shared/payment/billing';
import type { MemberPlan } from '@/shared/payment/billing';
import { ResumeButton } from '@/shared/payment/ResumeButton';
import { formatDay, formatMoney } from '@/lib/format';
import { paths } from '@/paths';
import { Button, LinkButton } from '@/ui/Button';

type Mark = 'good' | 'warn' | 'plain';

interface CardText {
  mark: string;
  kind: Mark;
  /** The current state, then what comes next. */
  lines: ReactNode[];
}

const NO_CHARGE = 'You will not be charged again.';

/** The plan's state in words: until when it gives access, and what is charged next and when. */
function cardText(plan: MemberPlan): CardText {
  const { state, endPaidDate, nextCharge, pausedUntil, graceEndsAt, canChangeMethod } = plan;
  const until = endPaidDate === null ? null : `Until ${formatDay(endPaidDate)}`;
  const next = nextCharge ? `Next charge: ${chargeText(nextCharge)}.` : NO_CHARGE;
  switch (state) {
    case 'trial':
      return {
        mark: 'Trial',
        kind: 'good',
        lines: [
          endPaidDate !== null && `Free until ${formatDay(endPaidDate)}`,
          nextCharge ? `First charge: ${chargeText(nextCharge)}. Cancel before then, and nothing is charged.` : NO_CHARGE,
        ],
      };
    case 'past_due':
      return {
        mark: 'Payment failed',
        kind: 'warn',
        lines: [
          `We could not charge${nextCharge ? ` ${formatMoney(nextCharge.amount)}` : ' your payment method'}.`,
          `${graceEndsAt === null ? '' : `Your plan stays active until ${formatDay(graceEndsAt)}. `}${canChangeMethod ? 'Change your payment method, and your plan continues as before.' : 'We will try again before then.'}`,
        ],
      };
    case 'canceled':
      return { mark: 'Cancelled', kind: 'plain', lines: [until, `It does not renew. ${NO_CHARGE}`] };
    case 'paused':
      return {
        mark: 'Paused',
        kind: 'plain',
        lines: [
          pausedUntil === null ? null : `Until ${formatDay(pausedUntil)}`,
          nextCharge ? `Nothing is charged until then. It resumes with ${chargeText(nextCharge)}.` : 'Nothing is charged until then.',
        ],
      };
    case 'lifetime':
      return { mark: 'Active', kind: 'good', lines: ['It does not expire.', NO_CHARGE] };
    case 'code':
      return { mark: 'Active', kind: 'good', lines: [until ?? 'It does not expire.', `It does not renew. ${NO_CHARGE}`] };
    default:
      return { mark: 'Active', kind: 'good', lines: [until, next] };
  }
}

const BADGES: Record<Mark, string> = { good: 'badge badge--free', warn: 'badge badge--warn', plain: 'badge badge--soon' };

/** The current plan, or an offer when there is none. */
export function PlanCard({ plan, user, onRepair }: { plan: MemberPlan; user: User; onRepair: () => void }) {
  // A plan that ends while the page is open is shown as ended on the next visit.
  const [now] = useState(() => Date.now());
  if (plan.state === 'free' || plan.state === 'ended') return <FreeCard plan={plan} user={user} />;
  const { mark, kind, lines } = cardText(plan);
  return (
    <div className="account__card">
      <div className="account__card-body">
        <p className="account__plan">
          {plan.planName ?? 'Premium'} <span className={BADGES[kind]}>{mark}</span>
        </p>
        {lines.filter(Boolean).map((line, i) => (
          <p key={i} className="account__card-text">
            {line}
          </p>
        ))}
        {plan.state === 'paused' && plan.endPaidDate !== null ? (
          <p className="account__card-note">
            {plan.endPaidDate > now ? `You can keep reading until ${formatDay(plan.endPaidDate)}.` : 'Until then, you are on the free plan.'}
          </p>
        ) : null}
      </div>
      <div className="account__card-actions">
        {plan.state === 'past_due' && plan.canChangeMethod ? (
          <Button kind="primary" onClick={onRepair}>
            Change payment method
          </Button>
        ) : null}
        {plan.canResume ? <ResumeButton>{plan.state === 'paused' ? 'Resume now' : 'Turn renewal back on'}</ResumeButton> : null}
      </div>
    </div>
  );
}

function FreeCard({ plan, user }: { plan: MemberPlan; user: User }) {
  return (
    <div className="account__card">
      <div className="account__card-body">
        <p className="account__plan">Free Plan</p>
        <p className="account__card-text">Upgrade to access unlimited summaries</p>
        {plan.state === 'ended' && plan.endPaidDate !== null ? (
          <p className="account__card-note">{`${plan.planName ?? 'Your plan'} ended on ${formatDay(plan.endPaidDate)}. Your library and your progress are all here.`}</p>
        ) : null}
        <FreeSummaries user={user} className="account__card-note" />
      </div>
      <div className="account__card-actions">
        <LinkButton kind="primary" to={paths.try}>
          Upgrade Now
        </LinkButton>
      </div>
    </div>
  );
}
