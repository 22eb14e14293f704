import '@/features/billing/membership/membership.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { redirect } from 'react-router';
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { billingQuery, cachePlan } from '@/shared/payment/billing';
import type { MemberPlan } from '@/shared/payment/billing';
import { PauseForm } from '@/shared/payment/PauseForm';
import { ResumeButton } from '@/shared/payment/ResumeButton';
import { CANCEL_REASONS } from '@/features/billing/membership/cancelReasons';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { formatDay } from '@/lib/format';
import { site } from '@/lib/site';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, loginFor, paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { RadioList } from '@/ui/RadioList';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { Icon } from '@/ui/Icon';
import { SkeletonText } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';
import { text, useForm } from '@/ui/useForm';

/** Visitors are redirected to the login. */
export const loader = () => (session.token() === null ? redirect(loginFor(paths.cancel)) : settleBeforeFirstRender(queryClient.query(billingQuery())));

type Outcome = 'canceled' | 'paused' | null;

/** /cancel: turns off renewal; access stays until the end of the paid period (billing.cancel-renewal). */
export function Component() {
  useTitle(ROUTES.cancel.title);
  const { data, error, refetch } = useQuery(billingQuery());
  const [outcome, setOutcome] = useState<Outcome>(null);
  if (error && !data) {
    return (
      <div className="page page--text">
        <ErrorState level={1} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) {
    return (
      <div className="page page--text cancel">
        <h1 className="page__title">Cancel your subscription</h1>
        <div role="status" className="cancel__loading">
          <span className="visually-hidden">Loading your plan</span>
          <SkeletonText width={70} />
          <SkeletonText width={50} />
          <SkeletonText width={60} />
        </div>
      </div>
    );
  }
  const { plan } = data;
  if (outcome === 'paused') return <Paused plan={plan} />;
  if (outcome === 'canceled' || plan.state === 'canceled') return <Canceled plan={plan} isNew={outcome === 'canceled'} onResumed={() => setOutcome(null)} />;
  if (!plan.canCancel) return <NothingToCancel plan={plan} />;
  return <CancelForm plan={plan} onOutcome={setOutcome} />;
}

/** The message for a failed cancellation (billing.cancel-failure). A refusal that says what to do keeps its own message. */
function failureOf(error: unknown): unknown {
  if (error instanceof ApiError && (error.status === 401 || error.status === 409 || error.status === 422 || error.status === 429)) return error;
  const { status, code } = error instanceof ApiError ? error : { status: 0, code: 'internal' };
  return new ApiError({ status, code, message: `There was an error processing your cancellation. Please contact us at ${site.supportEmail}.` });
}

function CancelForm({ plan, onOutcome }: { plan: MemberPlan; onOutcome: (outcome: Outcome) => void }) {
  const form = useForm({
    submit: async (data) => {
      try {
        const { plan: canceled } = await call('POST /api/charge/cancel', { body: { reason: text(data, 'reason') || null } });
        onOutcome('canceled');
        await cachePlan(canceled);
      } catch (error) {
        throw failureOf(error);
      }
    },
  });
  const until = plan.endPaidDate === null ? null : formatDay(plan.endPaidDate);
  return (
    <div className="page page--text cancel">
      <h1 className="page__title">Cancel your subscription</h1>
      <p className="page__lead">
        {until === null
          ? 'This turns off renewal: you will not be charged again.'
          : `This turns off renewal: you will not be charged again, and ${plan.planName ?? 'your plan'} stays active until ${until}.`}{' '}
        You keep your library and your progress.
      </p>
      <FormAlert form={form} />
      <form className="form cancel__form" {...form.props}>
        <RadioList legend="Why are you leaving? Your answer helps us, but you can skip it." name="reason" options={CANCEL_REASONS} />
        <div className="cancel__actions">
          <SubmitButton form={form} large busyText="Turning off">
            Turn off auto-renewal
          </SubmitButton>
          <LinkButton kind="secondary" large to={paths.books}>
            Keep as is
          </LinkButton>
        </div>
        <p className="cancel__note">
          If you subscribed through a mobile app store, we cancel it for you: please write to{' '}
          {site.supportEmail ? <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a> : 'our support team'}.
        </p>
      </form>
      {plan.canPause ? (
        <section className="cancel__pause" aria-labelledby="pause-title">
          <h2 className="cancel__pause-title" id="pause-title">
            Just short on time right now?
          </h2>
          <PauseForm plan={plan} onPaused={() => onOutcome('paused')} />
        </section>
      ) : null}
    </div>
  );
}

/** Replaces the form. The heading takes the focus, which would be lost with the form. */
function Outcome({ title, focus = true, children }: { title: string; focus?: boolean; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) heading.current?.focus();
    window.scrollTo({ top: 0 });
  }, [focus]);
  return (
    <div className="page page--text cancel">
      <span className="done-mark cancel__mark" aria-hidden="true">
        <Icon name="check" />
      </span>
      <h1 className="page__title" ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}

function Canceled({ plan, isNew, onResumed }: { plan: MemberPlan; isNew: boolean; onResumed: () => void }) {
  const until = plan.endPaidDate === null ? null : formatDay(plan.endPaidDate);
  return (
    <Outcome title="Your subscription was cancelled." focus={isNew}>
      <p className="page__lead">
        {until === null ? 'You will not be charged again.' : `You can read everything until ${until}. You will not be charged again.`}{' '}
        {isNew ? 'We have emailed you a confirmation.' : ''}
      </p>
      <div className="cancel__actions cancel__actions--done">
        {plan.canResume ? (
          <ResumeButton kind="secondary" onResumed={onResumed}>
            Turn renewal back on
          </ResumeButton>
        ) : null}
        <LinkButton to={paths.books}>Go to the books</LinkButton>
        <LinkButton kind="quiet" to={paths.account}>
          Account
        </LinkButton>
      </div>
    </Outcome>
  );
}

function Paused({ plan }: { plan: MemberPlan }) {
  return (
    <Outcome title={plan.pausedUntil === null ? 'Your plan is paused.' : `Your plan is paused until ${formatDay(plan.pausedUntil)}.`}>
      <p className="page__lead">Nothing is charged until then. Resume from your account whenever you like, with one click.</p>
      <div className="cancel__actions cancel__actions--done">
        <LinkButton to={paths.books}>Go to the books</LinkButton>
        <LinkButton kind="quiet" to={paths.account}>
          Account
        </LinkButton>
      </div>
    </Outcome>
  );
}

/** Shown to a member whose plan does not renew: there is nothing to turn off. */
function NothingToCancel({ plan }: { plan: MemberPlan }) {
  const says =
    plan.state === 'free' || plan.state === 'ended'
      ? 'You are on the free plan.'
      : plan.state === 'paused'
        ? 'Your plan is paused.'
        : plan.endPaidDate === null
          ? `${plan.planName ?? 'Your plan'} does not renew.`
          : `${plan.planName ?? 'Your plan'} does not renew. It stays active until ${formatDay(plan.endPaidDate)}.`;
  return (
    <div className="page">
      <EmptyState
        level={1}
        title="There is nothing to cancel"
        actions={
          <>
            <LinkButton to={paths.account}>Account</LinkButton>
            <LinkButton kind="quiet" to={paths.books}>
              Keep as is
            </LinkButton>
          </>
        }
      >
        <p>
          {says} {plan.nextCharge ? '' : 'Nothing will be charged.'}
        </p>
        <p>
          If you subscribed through a mobile app store, we cancel it for you: please write to{' '}
          {site.supportEmail ? <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a> : 'our support team'}.
        </p>
      </EmptyState>
    </div>
  );
}
