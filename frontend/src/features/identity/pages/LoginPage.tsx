import { useState } from 'react';
import { Link, redirect, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { session } from '@/api/session';
import { joinWithPurchase } from '@/shared/payment/purchaseClaim';
import { secondFactorTicket } from '@/shared/session/signIn';
import { providerReturn } from '@/shared/session/signInProviders';
import { AuthFrame } from '@/features/identity/components/AuthFrame';
import { MailedCode } from '@/features/identity/components/MailedCode';
import { PasskeyButton } from '@/features/identity/components/PasskeyButton';
import { ProviderButtons } from '@/features/identity/components/ProviderButtons';
import { ProviderReturnNotice } from '@/features/identity/components/ProviderReturnNotice';
import { SecondFactor } from '@/features/identity/components/SecondFactor';
import { contextOf, destinationOf, withContext } from '@/shared/session/context';
import type { Context } from '@/shared/session/context';
import { useCompleteSignIn } from '@/features/identity/useCompleteSignIn';
import { useProviderReturn } from '@/features/identity/useProviderReturn';
import { useStepFocus } from '@/features/identity/useStepFocus';
import { LOGIN_INCOMPLETE, requests } from '@/features/identity/validate';
import { scrollToTop } from '@/lib/scrollToTop';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { EmailField, PasswordField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { Icon } from '@/ui/Icon';
import { text, useForm } from '@/ui/useForm';

/** Redirects a signed-in member, unless a provider redirected back to this page. */
export function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  if (session.token() === null || searchParams.has('again') || providerReturn(searchParams)) return null;
  return redirect(destinationOf(contextOf(searchParams)) ?? paths.home);
}

/** The subtitle, depending on the reason for the login. */
function subtitleFor({ target, freeTrial }: Context): string {
  if (freeTrial) return 'Log in to start your free trial.';
  if (!target) return 'Your books are where you left them.';
  if (/^\/(books|book-detail)\/[^/?]/.test(target)) return 'Log in to keep reading.';
  if (target.startsWith('/payment/')) return 'Log in to continue to checkout.';
  if (target.startsWith(paths.tenDayChallenge)) return 'Log in to see your ten-day challenge.';
  return 'Log in to continue.';
}

/** Stored in the history entry: a reload stays at the second factor, Back returns to the password. */
interface HistoryState {
  mailedTo?: string;
}

export function Component() {
  useTitle(ROUTES.login.title);
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const context = contextOf(params);
  const [factor, setFactor] = useState(() => secondFactorTicket.ticket() !== null);
  const [email, setEmail] = useState('');
  const [late, setLate] = useState<string | null>(null);
  const completeSignIn = useCompleteSignIn();
  const toFactor = () => setFactor(true);
  const { from, problem } = useProviderReturn(toFactor);
  const mailedTo = (useLocation().state as HistoryState | null)?.mailedTo;

  useStepFocus(from ? 'returning' : factor ? 'factor' : mailedTo !== undefined ? 'mailed' : 'password');

  if (from) return <ProviderReturnNotice provider={from} />;
  if (factor) {
    return (
      <SecondFactor
        completeSignIn={completeSignIn}
        onOver={(why) => {
          secondFactorTicket.end();
          setLate(why);
          setFactor(false);
        }}
      />
    );
  }
  if (mailedTo !== undefined) {
    return (
      <MailedCode
        email={mailedTo}
        target={destinationOf(context)}
        completeSignIn={(signIn) => completeSignIn(signIn, toFactor)}
        onBack={() => void navigate(-1)}
      />
    );
  }
  return (
    <AuthFrame title="Welcome back" subtitle={subtitleFor(context)} promises={['Your place kept on every device', 'Your library, your streak, your skills']}>
      <PasswordStep
        context={context}
        email={email}
        onEmail={setEmail}
        completeSignIn={(signIn) => completeSignIn(signIn, toFactor)}
        notice={late ?? problem ?? params.get('error')}
        onMailed={() => void navigate(withContext(paths.login, context), { state: { mailedTo: email.trim() } satisfies HistoryState })}
      />
    </AuthFrame>
  );
}

interface Props {
  context: Context;
  email: string;
  onEmail: (email: string) => void;
  completeSignIn: ReturnType<typeof useCompleteSignIn>;
  /** Shown before the first attempt. */
  notice: string | null;
  onMailed: () => void;
}

function PasswordStep({ context, email, onEmail, completeSignIn, notice, onMailed }: Props) {
  // Only the error of the last attempt is shown.
  const [other, setOther] = useState<string | null>(notice);
  const form = useForm({
    required: requests('username', 'password'),
    incomplete: LOGIN_INCOMPLETE,
    submit: (data) =>
      completeSignIn(() =>
        joinWithPurchase((context) =>
          call('POST /api/user/login', { body: { username: text(data, 'username').trim(), password: text(data, 'password'), ...context } }),
        ),
      ),
  });
  const mail = useForm({
    required: requests('username'),
    incomplete: 'Please specify an email.',
    submit: async (data) => {
      const target = destinationOf(context);
      await call('POST /api/user/login-link', { body: { email: text(data, 'username').trim(), ...(target && { redirect: target }) } });
      onMailed();
    },
  });
  const said = (text: string | null) => {
    form.clear();
    mail.clear();
    setOther(text);
    if (text) scrollToTop();
  };

  return (
    <>
      {form.error ? <FormAlert form={form} /> : mail.error ? <FormAlert form={mail} /> : other ? <Alert kind="warning">{other}</Alert> : null}
      <form
        className="form"
        {...form.props}
        onSubmit={(event) => {
          said(null);
          form.props.onSubmit(event);
        }}
        onInput={(event) => {
          form.props.onInput(event);
          mail.props.onInput(event);
        }}
      >
        <EmailField
          label="Email"
          name="username"
          autoComplete="username webauthn"
          value={email}
          onChange={(event) => onEmail(event.target.value)}
          error={form.wrong('username') ?? mail.wrong('username')}
        />
        <PasswordField label="Password" name="password" autoComplete="current-password" required error={form.wrong('password')} />
        <SubmitButton form={form} large wide busyText="Logging you in">
          Log in
        </SubmitButton>
        <p className="auth__or">or</p>
        <div className="auth__ways">
          <Button
            wide
            busy={mail.busy}
            busyText="Sending the link"
            onClick={(event) => {
              said(null);
              if (event.currentTarget.form) mail.send(event.currentTarget.form);
            }}
          >
            <Icon name="mail" />
            Send me a link
          </Button>
          <PasskeyButton completeSignIn={completeSignIn} onProblem={said} />
          <ProviderButtons origin="login" target={destinationOf(context)} onProblem={said} />
        </div>
      </form>
      <p className="auth__links">
        <span>
          <Link className="link" to={paths.forgotPassword} state={{ email }}>
            Forgot password
          </Link>
        </span>
        <span>
          New here?{' '}
          <Link className="link" to={withContext(paths.signup, context)}>
            Sign up
          </Link>
        </span>
      </p>
    </>
  );
}
