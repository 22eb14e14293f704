import { safeRedirect } from '@/lib/redirect';

/** A path of this site, or the URL of another one. */
export type Goback = { path: string } | { away: string };

/**
 * Validates a `goback` parameter (identity.goback-target): a path of this origin, as a path or as an absolute URL, or a
 * page of a configured provider. Null for everything else.
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
