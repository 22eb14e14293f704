// The query parameters of the login and sign-up pages, which the links between them pass on.
import { safeRedirect } from '@/lib/redirect';

const TRIAL = 'free-trial';

export interface Context {
  /** Where to go afterwards: a path of this origin. */
  target: string | null;
  /** The sign-up starts the free trial. */
  freeTrial: boolean;
}

export const contextOf = (params: URLSearchParams): Context => ({ target: safeRedirect(params.get('redirect')), freeTrial: params.has(TRIAL) });

/** The same context at another page. */
export function withContext(path: string, { target, freeTrial }: Context): string {
  const query = new URLSearchParams({ ...(target && { redirect: target }), ...(freeTrial && { [TRIAL]: 'true' }) }).toString();
  return query ? `${path}?${query}` : path;
}
