import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Stored in the history entry, which no server sees: it survives a reload. */
interface Kept {
  secret?: string;
}

/**
 * The secret in the fragment of a mailed link, or null. It is removed from the address bar at once: a URL
 * is copied, read by others and synchronised.
 */
export function useFragment(): string | null {
  const navigate = useNavigate();
  const location = useLocation();
  const { pathname, search, hash } = location;
  const secret = decode(hash.slice(1));
  useEffect(() => {
    if (secret) void navigate({ pathname, search }, { replace: true, state: { secret } satisfies Kept });
  }, [navigate, pathname, search, secret]);
  return secret || ((location.state as Kept | null)?.secret ?? null);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
