// What the address of a login or sign-up page says beside the form, and what the links between them hand on.
import { safeRedirect } from '@/lib/redirect';

const TRIAL = 'free-trial';

export interface Context {
  /** Where to go afterwards: a path of this origin. */
  target: string | null;
  /** The person came to start the free trial. */
  freeTrial: boolean;
}

export const contextOf = (params: URLSearchParams): Context => ({ target: safeRedirect(params.get('redirect')), freeTrial: params.has(TRIAL) });

/** The same context at another page. */
export function withContext(path: string, { target, freeTrial }: Context): string {
  const query = new URLSearchParams({ ...(target && { redirect: target }), ...(freeTrial && { [TRIAL]: 'true' }) }).toString();
  return query ? `${path}?${query}` : path;
}
