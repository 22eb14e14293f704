/** Maximum length of a redirect path, in bytes. */
const MAX_BYTES = 2000;

/** Whether a path segment is `.` or `..`, also percent-encoded. */
const isDotSegment = (segment: string): boolean => /^(\.|%2e){1,2}$/i.test(segment);

/**
 * Validates a redirect path (identity.redirect-target): returns its path, query and hash, or null for anything that could take a
 * browser to another host.
 *
 * The server applies the same rule (`crates/identity/src/redirect.rs`); the tests of both read their cases from
 * `redirect_paths.json` next to it.
 */
export function safeRedirect(target: string | null | undefined, origin = window.location.origin): string | null {
  // Browsers drop or rewrite these characters before navigating; no path of the site contains one.
  // eslint-disable-next-line no-control-regex
  if (!target || !target.startsWith('/') || target.startsWith('//') || /[\u0000-\u0020\u007f-\u009f\\\ufeff]/.test(target)) return null;
  if (new TextEncoder().encode(target).length > MAX_BYTES) return null;
  const [path = ''] = target.split(/[?#]/);
  // Dot segments may resolve into a path that begins with two slashes ("/.//host").
  if (path.split('/').some(isDotSegment)) return null;
  const url = new URL(target, origin);
  return url.pathname + url.search + url.hash;
}
