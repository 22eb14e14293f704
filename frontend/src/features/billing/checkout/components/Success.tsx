import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useSignedIn } from '@/api/session';
import { deliveryText } from '@/shared/payment/gifts';
import { isBook, subidOf } from '@/features/billing/checkout/terms';
import type { ChargeResult } from '@/features/billing/checkout/payment';
import { formatDay, formatMoney } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { loginFor, paths, signupFor } from '@/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

/** Texts and links after a purchase. */
interface View {
  title: string;
  text: ReactNode;
  actions: ReactNode;
}

interface Props {
  result: ChargeResult;
  /** The page that the buyer came from; null when there is none. */
  target: string | null;
}

/** The page after the payment, depending on what was bought (billing.success-views). */
export function Success({ result, target }: Props) {
  const signedIn = useSignedIn();
  return (
    <SuccessFrame {...viewOf(result, target, signedIn)}>
      <Receipt result={result} />
    </SuccessFrame>
  );
}

interface BookProps {
  planId: string;
  title: string;
  target: string | null;
  onSave: () => void;
}

/** After buying a single book, which is downloaded: the file can be saved once more. */
export function BookSuccess({ planId, title, target, onSave }: BookProps) {
  return (
    <SuccessFrame
      title="Your PDF is saved"
      text={`The summary of “${title}” has been downloaded as summary.pdf. The receipt is on its way to you.`}
      actions={
        <>
          <Button kind="primary" large onClick={onSave}>
            <Icon name="download" />
            Save it again
          </Button>
          <LinkButton large to={target ?? paths.book(subidOf(planId))}>
            {target === null ? 'Back to the book' : 'Go back to where you were'}
          </LinkButton>
        </>
      }
    />
  );
}

/** The layout of all success pages. The heading takes the focus. */
export function SuccessFrame({ title, text, actions, children }: View & { children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useLayoutEffect(() => {
    window.scrollTo({ top: 0 });
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="bought">
      <span className="done-mark" aria-hidden="true">
        <Icon name="check" />
      </span>
      <h1 className="page__title" ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <div className="page__lead">{text}</div>
      {children}
      <div className="bought__actions">{actions}</div>
    </div>
  );
}

/** What was charged, what will be charged, and the receipt. */
function Receipt({ result }: { result: ChargeResult }) {
  return (
    <dl className="bought__receipt tabular">
      <div className="totals__row">
        <dt>{result.planName}</dt>
        <dd>{result.trialEndsAt === null ? `${formatMoney(result.amount)} paid` : 'Nothing charged yet'}</dd>
      </div>
      {result.gift?.code ? (
        <div className="totals__row">
          <dt>The gift code</dt>
          <dd>
            <code className="bought__code">{result.gift.code}</code>
          </dd>
        </div>
      ) : null}
      {result.nextCharge ? (
        <div className="totals__row">
          <dt>{result.trialEndsAt === null ? 'Next charge' : 'First charge'}</dt>
          <dd>{`${formatMoney(result.nextCharge.amount)} on ${formatDay(result.nextCharge.at)}`}</dd>
        </div>
      ) : null}
      {result.receiptUrl === null ? null : (
        <div className="totals__row">
          <dt>Receipt</dt>
          <dd>
            <a className="link" href={result.receiptUrl}>
              Open the receipt
            </a>
          </dd>
        </div>
      )}
    </dl>
  );
}

function viewOf(result: ChargeResult, target: string | null, signedIn: boolean): View {
  const { planId, planName } = result;
  const toBooks = (
    <LinkButton kind="primary" large to={target ?? paths.books}>
      {target === null ? 'Browse book summaries' : 'Go back to where you were'}
    </LinkButton>
  );
  if (planId === 'quiz' || planId === 'personality-quiz') {
    const results = planId === 'quiz' ? paths.quizResults : paths.personalityQuizResults;
    return {
      title: 'Your results are ready',
      text: <p>Thank you. You can now read your full results.</p>,
      actions: (
        <LinkButton kind="primary" large to={results}>
          See your results
        </LinkButton>
      ),
    };
  }
  if (planId === 'gift') {
    return {
      title: 'A good choice',
      text: (
        <>
          <p>Thanks for purchasing a gift. Your gift details have been emailed to you.</p>
          {result.gift === null ? null : <p>{deliveryText(result.gift)}</p>}
        </>
      ),
      actions: (
        <>
          {toBooks}
          {signedIn ? (
            <LinkButton large to={paths.teams}>
              See your gifts
            </LinkButton>
          ) : null}
        </>
      ),
    };
  }
  if (result.infographicsUrl !== null && planId.startsWith('infographics')) {
    return {
      title: 'Your infographics are ready',
      text: <p>Thank you. They come in one file, each sheet in its latest version.</p>,
      actions: (
        <>
          <InfographicsLink url={result.infographicsUrl} primary />
          {result.chargeId !== null && !signedIn ? (
            <AccountLinks target={target} />
          ) : (
            <LinkButton large to={target ?? paths.infographics}>
              See all infographics
            </LinkButton>
          )}
        </>
      ),
    };
  }
  const added = result.infographicsUrl === null ? null : <InfographicsLink url={result.infographicsUrl} />;
  if (planId === 'bulk') {
    return {
      title: 'Your seats are ready',
      text: (
        <p>
          Thank you. The list of codes is on its way to you by email. With an account you can also send them from the Teams page and see which have been used.
        </p>
      ),
      actions: (
        <>
          {signedIn ? (
            <LinkButton kind="primary" large to={paths.teams}>
              See your seats
            </LinkButton>
          ) : (
            <AccountLinks target={paths.teams} primary />
          )}
          {added}
        </>
      ),
    };
  }
  if (isBook(planId)) {
    return {
      title: 'The PDF is yours',
      text: <p>Thank you for your purchase.</p>,
      actions: (
        <>
          {signedIn ? null : <AccountLinks target={target} />}
          {toBooks}
          {added}
        </>
      ),
    };
  }
  if (result.chargeId !== null && !signedIn) {
    return {
      title: 'One more step',
      text: (
        <p>{`Thank you. ${planName} is ${result.trialEndsAt === null ? 'paid for' : 'set up'}: sign up or log in, and it is yours. The same link is in the receipt that we emailed you.`}</p>
      ),
      actions: (
        <>
          <AccountLinks target={target} primary />
          {added}
        </>
      ),
    };
  }
  return {
    title: result.trialEndsAt === null ? 'All summaries are yours' : 'Your free trial has started',
    text: <p>You can now read, listen to and download every summary. A receipt is on its way to you.</p>,
    actions: (
      <>
        {toBooks}
        {added}
        <LinkButton kind="quiet" large to={paths.account}>
          Your account
        </LinkButton>
      </>
    ),
  };
}

/** Links to sign up or log in, so that a guest can claim the purchase (billing.guest-claim). */
function AccountLinks({ target, primary = false }: { target: string | null; primary?: boolean }) {
  const back = target ?? paths.books;
  return (
    <>
      <LinkButton {...(primary && { kind: 'primary' as const })} large to={signupFor(back)}>
        Sign up
      </LinkButton>
      <LinkButton large to={loginFor(back)}>
        Log in
      </LinkButton>
    </>
  );
}

function InfographicsLink({ url, primary = false }: { url: string; primary?: boolean }) {
  return (
    <a className={`button button--${primary ? 'primary' : 'secondary'} button--large`} href={url} download>
      <Icon name="download" />
      Download the infographics
    </a>
  );
}
