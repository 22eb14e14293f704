// The query parameters of the login and sign-up pages, which links between the two pass on.
import { safeRedirect } from '@/lib/redirect';
import { paths, withRedirect } from '@/paths';

const TRIAL = 'free-trial';
/** The plan whose trial `free-trial` starts. */
const TRIAL_PLAN = 'yearly';

export interface Context {
  /** Where to go after signing in: a path of this origin; null: the default page. */
  target: string | null;
  /** The sign-up starts the free trial. */
  freeTrial: boolean;
}

export const contextOf = (params: URLSearchParams): Context => ({ target: safeRedirect(params.get('redirect')), freeTrial: params.has(TRIAL) });

/**
 * Where every kind of sign-in redirects to; null: the default page. With `free-trial` that is the checkout of the yearly plan
 * with its trial, and a purchase there leads on to the target (identity.free-trial).
 */
export const destinationOf = ({ target, freeTrial }: Context): string | null =>
  freeTrial && !target?.startsWith('/payment/') ? withRedirect(paths.payment(TRIAL_PLAN), target) : target;

/** The path with this context as its query. */
export function withContext(path: string, { target, freeTrial }: Context): string {
  const query = new URLSearchParams({ ...(target && { redirect: target }), ...(freeTrial && { [TRIAL]: 'true' }) }).toString();
  return query ? `${path}?${query}` : path;
}
