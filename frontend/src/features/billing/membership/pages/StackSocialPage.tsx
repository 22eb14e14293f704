import '@/features/billing/membership/membership.css';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { loadFailureOf } from '@/api/errors';
import type { ResultOf } from '@/api/types';
import { GiftWords } from '@/features/billing/membership/components/GiftWords';
import { redeemCode } from '@/features/billing/membership/redeem';
import { formatDay } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { Icon } from '@/ui/Icon';
import { text, useForm } from '@/ui/useForm';

type Redeemed = ResultOf<'POST /api/user/stacksocial'>;

/** The error of an empty field (billing.code-single-use). */
const MISSING = 'Please provide a valid redemption code.';

/** /stacksocial: a member redeems a code from the deals marketplace, of a gift, or of a seat (billing.code-single-use). */
export function Component() {
  useTitle(ROUTES.stackSocial.title);
  const [params] = useSearchParams();
  const [redeemed, setRedeemed] = useState<Redeemed | null>(null);
  const form = useForm({
    messageFor: loadFailureOf,
    required: { code: MISSING },
    submit: async (data) => setRedeemed(await redeemCode(text(data, 'code'))),
  });
  if (redeemed) return <Success redeemed={redeemed} />;
  return (
    <div className="page page--narrow redeem">
      <h1 className="page__title">Redeem a code</h1>
      <p className="page__lead">From StackSocial, a gift, or a team seat.</p>
      <GiftWords code={params.get('code') ?? ''} />
      <FormAlert form={form} />
      <form className="form redeem__form" {...form.props}>
        <TextField
          label="Code"
          name="code"
          className="input--redeem"
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          maxLength={100}
          required
          defaultValue={params.get('code') ?? ''}
          hint="Capital letters and dashes do not matter."
          error={form.wrong('code')}
        />
        <SubmitButton form={form} large wide busyText="Redeeming...">
          Redeem Code
        </SubmitButton>
      </form>
      <p className="redeem__back">
        <Link className="link" to={paths.account}>
          Back to your account
        </Link>
      </p>
    </div>
  );
}

function Success({ redeemed }: { redeemed: Redeemed }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="page page--narrow redeem">
      <span className="done-mark" aria-hidden="true">
        <Icon name="check" />
      </span>
      <h1 className="page__title redeem__done" ref={heading} tabIndex={-1}>
        Success!
      </h1>
      <p className="page__lead">Your StackSocial code has been activated successfully</p>
      <p className="redeem__plan">
        {redeemed.endPaidDate === null ? `${redeemed.planName} is yours for life.` : `${redeemed.planName} is yours until ${formatDay(redeemed.endPaidDate)}.`}
      </p>
      <LinkButton kind="primary" large to={paths.account}>
        Go to Your Account
      </LinkButton>
    </div>
  );
}
