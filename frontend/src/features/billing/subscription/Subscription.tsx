import '@/features/billing/subscription/subscription.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { User } from '@/api/types';
import { billingQuery } from '@/shared/payment/billing';
import type { MemberPlan } from '@/shared/payment/billing';
import { PauseForm } from '@/shared/payment/PauseForm';
import { PaymentMethodRow } from '@/features/billing/subscription/PaymentMethod';
import { PlanCard } from '@/features/billing/subscription/PlanCard';
import { QueryContent, Section } from '@/shared/account/Section';
import { LinkRow, Setting } from '@/shared/account/Setting';
import { SwitchPlan } from '@/features/billing/subscription/SwitchPlan';
import { Timeline } from '@/features/billing/subscription/Timeline';
import { paths } from '@/paths';

/** The member's plan with its actions, and everything charged, due and credited (billing.active-plan). */
export function Subscription({ user }: { user: User }) {
  const billing = useQuery(billingQuery());
  // The targets of the URL's fragment have their final position once the plan is rendered.
  const isLoaded = billing.data !== undefined;
  useEffect(() => {
    const { hash } = window.location;
    if (isLoaded && (hash === '#subscription' || hash === '#payments')) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [isLoaded]);
  return (
    <>
      <Section id="subscription" title="Subscription">
        <QueryContent query={billing} loading="Loading your plan" rows={2}>
          {({ plan }) => <Plan plan={plan} user={user} />}
        </QueryContent>
      </Section>
      <Section id="payments" title="Payments" lead="Every charge, past and upcoming: what, when, how much, and why.">
        <QueryContent query={billing} loading="Loading your payments" rows={3}>
          {({ timeline, refundDays }) => <Timeline entries={timeline} refundDays={refundDays} />}
        </QueryContent>
      </Section>
    </>
  );
}

function Plan({ plan, user }: { plan: MemberPlan; user: User }) {
  const [isChangingMethod, setChangingMethod] = useState(false);
  return (
    <>
      <PlanCard plan={plan} user={user} onRepair={() => setChangingMethod(true)} />
      {plan.method || plan.canChangeMethod ? <PaymentMethodRow plan={plan} isOpen={isChangingMethod} onOpen={setChangingMethod} /> : null}
      {plan.switchTo.length > 0 ? <SwitchPlan plan={plan} /> : null}
      {plan.canPause ? (
        <Setting label="Pause" action="Pause" of="your plan" form={(close) => <PauseForm plan={plan} onCancel={close} />}>
          <p className="setting__note">For one to three months, when you have no time to read. Nothing is charged in the meantime.</p>
        </Setting>
      ) : null}
      <ul className="account__links account__links--plan">
        {plan.canCancel ? (
          <LinkRow to={paths.cancel} label="Cancel subscription" note="Turns off renewal. You can keep reading until the end of the period you paid for." />
        ) : null}
        <LinkRow to={paths.stackSocial} label="Redeem a code" note="A gift, a team seat, or a code from StackSocial" />
      </ul>
    </>
  );
}
