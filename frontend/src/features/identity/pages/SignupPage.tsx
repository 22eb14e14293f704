import { Link, redirect, useNavigate, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { arrivalTarget, welcome } from '@/api/arrival';
import { call } from '@/api/client';
import { session } from '@/api/session';
import { AuthFrame } from '@/features/identity/components/AuthFrame';
import { SIGNUP_INCOMPLETE, requests } from '@/features/identity/validate';
import { safeRedirect } from '@/lib/redirect';
import { text, useForm } from '@/lib/useForm';
import { useTitle } from '@/lib/useTitle';
import { loginFor, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { PasswordField, TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';

/** Who is signed in has nothing to do here. */
export function loader({ request }: LoaderFunctionArgs) {
  return session.token() === null ? null : redirect(safeRedirect(new URL(request.url).searchParams.get('redirect')) ?? paths.home);
}

const CHARGE = 'chargeId';

/** A payment made before the sign-up, kept by the checkout (member.md §3). */
const chargeId = () => {
  try {
    return sessionStorage.getItem(CHARGE);
  } catch {
    return null;
  }
};

export function Component() {
  useTitle('Sign up');
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const target = safeRedirect(params.get('redirect'));

  const form = useForm({
    required: requests('firstName', 'lastName', 'username', 'password'),
    incomplete: SIGNUP_INCOMPLETE,
    submit: async (data) => {
      const charge = chargeId();
      const signedIn = await call('POST /api/user/register', {
        body: {
          username: text(data, 'username').trim(),
          password: text(data, 'password'),
          firstName: text(data, 'firstName').trim(),
          lastName: text(data, 'lastName').trim(),
          timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          ...(charge && { chargeId: charge }),
        },
      });
      if (charge) sessionStorage.removeItem(CHARGE);
      welcome(signedIn);
      await navigate(arrivalTarget(params) ?? paths.chooseCategories('new'), { replace: true });
    },
  });
  const banner = form.trouble ? null : params.get('error');

  return (
    <AuthFrame
      title="Try it free"
      subtitle={params.has('free-trial') ? 'Create your account, then start your free trial.' : 'Three full summaries are yours. No card needed.'}
      promises={['Three summaries free, and one more each month', 'Your place kept on every device', 'About fifteen minutes a book']}
    >
      {banner ? <Alert kind="warning">{banner}</Alert> : null}
      <FormAlert form={form}>
        {form.trouble?.code === 'email_taken' ? (
          <p className="auth__alert-links">
            <Link to={target ? loginFor(target) : paths.login}>Log in</Link>
            <Link to={paths.forgotPassword}>Reset your password</Link>
          </p>
        ) : null}
      </FormAlert>
      <form className="form" {...form.props}>
        <div className="form__pair">
          <TextField label="First name" name="firstName" autoComplete="given-name" required error={form.wrong('firstName')} />
          <TextField label="Last name" name="lastName" autoComplete="family-name" required error={form.wrong('lastName')} />
        </div>
        <TextField
          label="E-mail"
          name="username"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={form.wrong('username')}
        />
        <PasswordField label="Password" name="password" autoComplete="new-password" hint="At least 8 characters." required error={form.wrong('password')} />
        <SubmitButton form={form} large wide busyText="Signing you up">
          Sign up
        </SubmitButton>
        <p className="auth__small">
          By signing up you agree to the <Link to={paths.terms}>terms</Link> and the <Link to={paths.privacy}>privacy policy</Link>.
        </p>
      </form>
      <p className="auth__links">
        <span>
          Already a member?{' '}
          <Link className="link" to={target ? loginFor(target) : paths.login}>
            Log in
          </Link>
        </span>
      </p>
    </AuthFrame>
  );
}
