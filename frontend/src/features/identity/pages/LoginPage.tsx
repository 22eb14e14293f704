import { Link, redirect, useNavigate, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { arrivalTarget, welcome } from '@/api/arrival';
import { call } from '@/api/client';
import { session } from '@/api/session';
import { AuthFrame } from '@/features/identity/components/AuthFrame';
import { useAuthForm } from '@/features/identity/useAuthForm';
import { LOGIN_INCOMPLETE, text } from '@/features/identity/validate';
import { safeRedirect } from '@/lib/redirect';
import { useTitle } from '@/lib/useTitle';
import { paths, signupFor } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { PasswordField, TextField } from '@/ui/Field';

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

  const { busy, trouble, onSubmit, onInput, wrong } = useAuthForm({
    required: ['username', 'password'],
    incomplete: LOGIN_INCOMPLETE,
    submit: async (form) => {
      welcome(await call('POST /api/user/login', { body: { username: text(form, 'username').trim(), password: text(form, 'password') } }));
      await navigate(arrivalTarget(params) ?? paths.home, { replace: true });
    },
  });
  const banner = trouble?.message ?? params.get('error');

  return (
    <AuthFrame
      title="Welcome back"
      subtitle={subtitleFor(target, params.has('free-trial'))}
      promises={['Your place kept on every device', 'Your library, your streak, your skills']}
    >
      {banner ? (
        <Alert kind="warning" key={banner}>
          {banner}
        </Alert>
      ) : null}
      <form className="form" onSubmit={(event) => void onSubmit(event)} onInput={onInput} noValidate>
        <TextField
          label="E-mail"
          name="username"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={wrong('username')}
        />
        <PasswordField label="Password" name="password" autoComplete="current-password" required error={wrong('password')} />
        <Button type="submit" kind="primary" large wide busy={busy} busyText="Logging you in">
          Login
        </Button>
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
