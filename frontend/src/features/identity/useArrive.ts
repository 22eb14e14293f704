import { useLocation, useNavigate } from 'react-router';
import type { SignedIn } from '@/api/types';
import { arrivalTarget, asksSecondFactor, welcome } from '@/domain/signIn';
import { contextOf, withContext } from '@/features/identity/context';
import { paths } from '@/paths';

/**
 * What every way in ends with: the session is kept, and the page gives way to the one that was wanted. When the second
 * factor is asked for, the login page goes on with that.
 */
export function useArrive(otherwise: string = paths.home) {
  const navigate = useNavigate();
  const { search } = useLocation();
  return async (signIn: () => Promise<SignedIn>, onSecondFactor?: () => void): Promise<void> => {
    const params = new URLSearchParams(search);
    try {
      welcome(await signIn());
    } catch (error) {
      if (!asksSecondFactor(error)) throw error;
      if (onSecondFactor) onSecondFactor();
      else await navigate(withContext(paths.login, contextOf(params)), { replace: true });
      return;
    }
    await navigate(arrivalTarget(params) ?? otherwise, { replace: true });
  };
}
