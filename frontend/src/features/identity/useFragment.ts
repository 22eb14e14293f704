import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Kept with the entry in the browser's history, which no server sees: a reload has it still. */
interface Kept {
  secret?: string;
}

/**
 * The secret that a mailed link carries in its fragment, or null. It is taken out of the address at once: what stays
 * there is copied, seen over a shoulder, synchronised.
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
