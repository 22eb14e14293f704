import { safeRedirect } from '@/lib/redirect';

/** Where `/goback` may lead. */
export type Goback = { path: string } | { away: string };

/**
 * Where a `goback` parameter may lead (identity.goback-target): a path of this origin, given as such or as a whole address, or a
 * page of a provider that is configured. Null for everything else.
 */
export function safeGoback(target: string | null, trusted: readonly string[], origin = window.location.origin): Goback | null {
  const own = safeRedirect(target, origin);
  if (own !== null) return { path: own };
  // eslint-disable-next-line no-control-regex
  if (target === null || /[\u0000-\u0020\u007f\\]/.test(target) || !URL.canParse(target)) return null;
  const url = new URL(target);
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  if (url.origin === origin) {
    const path = safeRedirect(url.pathname + url.search + url.hash, origin);
    return path === null ? null : { path };
  }
  return trusted.includes(url.origin) ? { away: url.href } : null;
}
