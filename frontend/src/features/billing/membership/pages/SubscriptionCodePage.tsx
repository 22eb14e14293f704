import '@/features/billing/membership/membership.css';
import { Link, redirect, useNavigate, useParams, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { rawMessageOf } from '@/api/errors';
import { session } from '@/api/session';
import { joinWithPurchase } from '@/shared/payment/purchaseClaim';
import { redirectTarget, startSession } from '@/shared/session/signIn';
import { GiftWords } from '@/features/billing/membership/components/GiftWords';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, loginFor, paths } from '@/paths';
import { EmailField, PasswordField, TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';
import { text, useForm } from '@/ui/useForm';

/** The message of a missing field (billing.code-single-use). */
const INCOMPLETE = 'Please specify an email or code or password or first name or last name.';

/** Redirects members, who redeem the code instead of signing up. */
export const loader = ({ params }: LoaderFunctionArgs) => (session.token() === null ? null : redirect(paths.redeem(params['code'] ?? '')));

/** /subscriptioncode and /subscriptioncode/{code}: sign-up with a code of a gift, a seat or a marketplace (billing.code-single-use). */
export function Component() {
  useTitle(ROUTES.subscriptionCode.title);
  const { code = '' } = useParams();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const form = useForm({
    messageFor: rawMessageOf,
    required: {
      code: 'The code is missing.',
      firstName: 'Your first name is missing.',
      lastName: 'Your last name is missing.',
      username: 'Your email address is missing.',
      password: 'A password is missing.',
    },
    incomplete: INCOMPLETE,
    submit: async (data) => {
      const signedIn = await joinWithPurchase((context) =>
        call('POST /api/user/subscription-code-register', {
          body: {
            username: text(data, 'username').trim(),
            password: text(data, 'password'),
            firstName: text(data, 'firstName').trim(),
            lastName: text(data, 'lastName').trim(),
            code: text(data, 'code').trim(),
            timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
            ...context,
          },
        }),
      );
      await startSession(signedIn);
      await navigate(redirectTarget(params) ?? paths.home, { replace: true });
    },
  });
  const login = loginFor(paths.redeem(code));
  return (
    <div className="page page--narrow redeem">
      <h1 className="page__title">Start with your code</h1>
      <p className="page__lead">Create your account and your plan starts right away. No card needed.</p>
      <GiftWords code={code} />
      <FormAlert form={form}>
        {form.error?.code === 'email_taken' ? (
          <p>
            <Link to={login}>Log in and redeem it there</Link>
          </p>
        ) : null}
      </FormAlert>
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
          defaultValue={code}
          error={form.wrong('code')}
        />
        <div className="form__pair">
          <TextField label="First name" name="firstName" autoComplete="given-name" required error={form.wrong('firstName')} />
          <TextField label="Last name" name="lastName" autoComplete="family-name" required error={form.wrong('lastName')} />
        </div>
        <EmailField label="Email" name="username" autoComplete="email" error={form.wrong('username')} />
        <PasswordField label="Password" name="password" autoComplete="new-password" hint="At least 8 characters." required error={form.wrong('password')} />
        <SubmitButton form={form} large wide busyText="Signing you up">
          Sign up
        </SubmitButton>
        <p className="redeem__small">
          By signing up you agree to the <Link to={paths.terms}>terms</Link> and the <Link to={paths.privacy}>privacy policy</Link>.
        </p>
      </form>
      <p className="redeem__links">
        <span>
          Already a member?{' '}
          <Link className="link" to={login}>
            Log in
          </Link>{' '}
          to redeem it there.
        </span>
        <Link className="link" to={paths.forgotPassword}>
          Forgot your password?
        </Link>
      </p>
    </div>
  );
}
