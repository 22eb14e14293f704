// The query parameters of the login and sign-up pages, which the links between them pass on.
import { safeRedirect } from '@/lib/redirect';
import { paths, withRedirect } from '@/paths';

const TRIAL = 'free-trial';
/** The plan whose trial is begun by `free-trial`. */
const TRIAL_PLAN = 'yearly';

export interface Context {
  /** Where to go afterwards: a path of this origin. */
  target: string | null;
  /** The sign-up starts the free trial. */
  freeTrial: boolean;
}

export const contextOf = (params: URLSearchParams): Context => ({ target: safeRedirect(params.get('redirect')), freeTrial: params.has(TRIAL) });

/**
 * Where a sign-in leads, however it is done; null: where it always does. With `free-trial` that is the checkout of the yearly plan with its
 * trial, and a purchase there leads on to the target (identity.free-trial).
 */
export const destinationOf = ({ target, freeTrial }: Context): string | null =>
  freeTrial && !target?.startsWith('/payment/') ? withRedirect(paths.payment(TRIAL_PLAN), target) : target;

/** The same context at another page. */
export function withContext(path: string, { target, freeTrial }: Context): string {
  const query = new URLSearchParams({ ...(target && { redirect: target }), ...(freeTrial && { [TRIAL]: 'true' }) }).toString();
  return query ? `${path}?${query}` : path;
}
