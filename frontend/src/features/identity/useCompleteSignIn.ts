import { useLocation, useNavigate } from 'react-router';
import type { SignedIn } from '@/api/types';
import { isSecondFactorRequired, startSession, takeStoredRedirect } from '@/shared/session/signIn';
import { contextOf, destinationOf, withContext } from '@/shared/session/context';
import { paths } from '@/paths';

/**
 * Completes every sign-in: stores the session and navigates to the redirect target. When a second factor is required,
 * continues with it on the login page.
 */
export function useCompleteSignIn(otherwise: string = paths.home) {
  const navigate = useNavigate();
  const { search } = useLocation();
  return async (signIn: () => Promise<SignedIn>, onSecondFactor?: () => void): Promise<void> => {
    const params = new URLSearchParams(search);
    try {
      await startSession(await signIn());
    } catch (error) {
      if (!isSecondFactorRequired(error)) throw error;
      if (onSecondFactor) onSecondFactor();
      else await navigate(withContext(paths.login, contextOf(params)), { replace: true });
      return;
    }
    await navigate(destinationOf(contextOf(params)) ?? takeStoredRedirect() ?? otherwise, { replace: true });
  };
}
