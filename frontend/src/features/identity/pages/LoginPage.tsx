import { Link, redirect, useNavigate, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { arrivalTarget, welcome } from '@/api/arrival';
import { call } from '@/api/client';
import { session } from '@/api/session';
import { AuthFrame } from '@/features/identity/components/AuthFrame';
import { LOGIN_INCOMPLETE, requests } from '@/features/identity/validate';
import { safeRedirect } from '@/lib/redirect';
import { text, useForm } from '@/lib/useForm';
import { useTitle } from '@/lib/useTitle';
import { paths, signupFor } from '@/paths';
import { Alert } from '@/ui/Alert';
import { PasswordField, TextField } from '@/ui/Field';
import { FormAlert, SubmitButton } from '@/ui/Form';

/** Who is signed in has nothing to do here. */
export function loader({ request }: LoaderFunctionArgs) {
  return session.token() === null ? null : redirect(safeRedirect(new URL(request.url).searchParams.get('redirect')) ?? paths.home);
}

/** The subtitle says what the login is for. */
function subtitleFor(target: string | null, freeTrial: boolean): string {
  if (freeTrial) return 'Log in to start your free trial.';
  if (!target) return 'Your books are where you left them.';
  if (/^\/(books|book-detail)\/[^/?]/.test(target)) return 'Log in to go on reading.';
  if (target.startsWith('/payment/')) return 'Log in to go on to the checkout.';
  if (target.startsWith(paths.tenDayChallenge)) return 'Log in to see your ten-day challenge.';
  return 'Log in to go on.';
}

export function Component() {
  useTitle('Login');
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const target = safeRedirect(params.get('redirect'));

  const form = useForm({
    required: requests('username', 'password'),
    incomplete: LOGIN_INCOMPLETE,
    submit: async (data) => {
      welcome(await call('POST /api/user/login', { body: { username: text(data, 'username').trim(), password: text(data, 'password') } }));
      await navigate(arrivalTarget(params) ?? paths.home, { replace: true });
    },
  });
  const banner = form.trouble ? null : params.get('error');

  return (
    <AuthFrame
      title="Welcome back"
      subtitle={subtitleFor(target, params.has('free-trial'))}
      promises={['Your place kept on every device', 'Your library, your streak, your skills']}
    >
      {banner ? <Alert kind="warning">{banner}</Alert> : null}
      <FormAlert form={form} />
      <form className="form" {...form.props}>
        <TextField
          label="E-mail"
          name="username"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={form.wrong('username')}
        />
        <PasswordField label="Password" name="password" autoComplete="current-password" required error={form.wrong('password')} />
        <SubmitButton form={form} large wide busyText="Logging you in">
          Login
        </SubmitButton>
      </form>
      <p className="auth__links">
        <span>
          <Link className="link" to={paths.forgotPassword}>
            Forgot password
          </Link>
        </span>
        <span>
          New here?{' '}
          <Link className="link" to={target ? signupFor(target) : paths.signup}>
            Sign up
          </Link>
        </span>
      </p>
    </AuthFrame>
  );
}
