/**
 * Where a `redirect` parameter may lead: a path of this origin, or nowhere (decisions.md 17).
 *
 * Answers path, query and hash, or null for anything that a browser could take to another host:
 * schemes, `//host`, `/\host`, control characters that parsers drop, credentials.
 */
export function safeRedirect(target: string | null | undefined, origin = window.location.origin): string | null {
  // A control character or a backslash never stands in an honest path, and browsers rewrite both before they go.
  // eslint-disable-next-line no-control-regex
  if (!target || !target.startsWith('/') || /[\u0000-\u0020\u007f\\]/.test(target)) return null;
  if (target.startsWith('//')) return null;
  let url: URL;
  try {
    url = new URL(target, origin);
  } catch {
    return null;
  }
  if (url.origin !== origin) return null;
  const path = url.pathname + url.search + url.hash;
  // Dots may resolve into a path that begins with two slashes ("/.//host").
  return path.startsWith('//') ? null : path;
}
