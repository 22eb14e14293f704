import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Stored in the history entry, which is never sent to a server: it survives a reload. */
interface HistoryState {
  secret?: string;
}

/**
 * The secret in the fragment of a mailed link; null when there is none. It is removed from the address bar at once, because URLs
 * are copied, read by others and synchronized.
 */
export function useFragment(): string | null {
  const navigate = useNavigate();
  const location = useLocation();
  const { pathname, search, hash } = location;
  const secret = decode(hash.slice(1));
  useEffect(() => {
    if (secret) void navigate({ pathname, search }, { replace: true, state: { secret } satisfies HistoryState });
  }, [navigate, pathname, search, secret]);
  return secret || ((location.state as HistoryState | null)?.secret ?? null);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
