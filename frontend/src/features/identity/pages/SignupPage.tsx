import { useState } from 'react';
import { Link, redirect, useNavigate, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { session } from '@/api/session';
import { joinWithPurchase } from '@/shared/payment/purchaseClaim';
import { providerReturn, providers } from '@/shared/session/signInProviders';
import { AuthFrame } from '@/features/identity/components/AuthFrame';
import { ProviderButtons } from '@/features/identity/components/ProviderButtons';
import { ProviderReturnNotice } from '@/features/identity/components/ProviderReturnNotice';
import { contextOf, destinationOf, withContext } from '@/shared/session/context';
import { useCompleteSignIn } from '@/features/identity/useCompleteSignIn';
import { useProviderReturn } from '@/features/identity/useProviderReturn';
import { useStepFocus } from '@/features/identity/useStepFocus';
import { SIGNUP_INCOMPLETE, requests } from '@/features/identity/validate';
import { scrollToTop } from '@/lib/scrollToTop';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { EmailField, PasswordField, TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { text, useForm } from '@/ui/useForm';

/** Redirects a signed-in member, unless a provider redirected back to this page. */
export function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  if (session.token() === null || providerReturn(searchParams)) return null;
  return redirect(destinationOf(contextOf(searchParams)) ?? paths.home);
}

export function Component() {
  useTitle(ROUTES.signup.title);
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const context = contextOf(params);
  const login = withContext(paths.login, context);
  const completeSignIn = useCompleteSignIn(paths.chooseCategories('new'));
  const { from, problem } = useProviderReturn(() => void navigate(login, { replace: true }));
  // Only the error of the last attempt is shown.
  const [tried, setTried] = useState<{ text: string | null } | null>(null);
  useStepFocus(from ? 'returning' : 'form');

  const form = useForm({
    required: requests('firstName', 'lastName', 'username', 'password'),
    incomplete: SIGNUP_INCOMPLETE,
    submit: (data) =>
      completeSignIn(() =>
        joinWithPurchase((context) =>
          call('POST /api/user/register', {
            body: {
              username: text(data, 'username').trim(),
              password: text(data, 'password'),
              firstName: text(data, 'firstName').trim(),
              lastName: text(data, 'lastName').trim(),
              timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
              ...context,
            },
          }),
        ),
      ),
  });
  if (from) return <ProviderReturnNotice provider={from} />;
  const notice = tried ? tried.text : (problem ?? params.get('error'));

  return (
    <AuthFrame
      title="Try it free"
      subtitle={context.freeTrial ? 'Create your account, then start your free trial.' : 'Three full summaries are yours. No card needed.'}
      promises={['Three summaries free, and one more each month', 'Your place kept on every device', 'About fifteen minutes a book']}
    >
      {notice && !form.error ? <Alert kind="warning">{notice}</Alert> : null}
      <FormAlert form={form}>
        {form.error?.code === 'email_taken' ? (
          <p className="auth__alert-links">
            <Link to={login}>Log in</Link>
            <Link to={paths.forgotPassword}>Reset your password</Link>
          </p>
        ) : null}
      </FormAlert>
      <form
        className="form"
        {...form.props}
        onSubmit={(event) => {
          setTried({ text: null });
          form.props.onSubmit(event);
        }}
      >
        <div className="form__pair">
          <TextField label="First name" name="firstName" autoComplete="given-name" required error={form.wrong('firstName')} />
          <TextField label="Last name" name="lastName" autoComplete="family-name" required error={form.wrong('lastName')} />
        </div>
        <EmailField label="Email" name="username" autoComplete="email" error={form.wrong('username')} />
        <PasswordField label="Password" name="password" autoComplete="new-password" hint="At least 8 characters." required error={form.wrong('password')} />
        <SubmitButton form={form} large wide busyText="Signing you up">
          Sign up
        </SubmitButton>
        <p className="auth__small">
          By signing up you agree to the <Link to={paths.terms}>terms</Link> and the <Link to={paths.privacy}>privacy policy</Link>.
        </p>
        {providers().length > 0 ? (
          <>
            <p className="auth__or">or</p>
            <div className="auth__ways">
              <ProviderButtons
                origin="signup"
                target={destinationOf(context)}
                onProblem={(text) => {
                  form.clear();
                  setTried({ text });
                  if (text) scrollToTop();
                }}
              />
            </div>
          </>
        ) : null}
      </form>
      <p className="auth__links">
        <span>
          Already a member?{' '}
          <Link className="link" to={login}>
            Log in
          </Link>
        </span>
      </p>
    </AuthFrame>
  );
}
