import { useLayoutEffect } from 'react';
import { useLocation, useSearchParams } from 'react-router';

// A page has one URL, and several of its fields change it: so what is on its way to the URL is kept once.

/** The navigation that was rendered last. */
let rendered: string | null = null;
let latest = new URLSearchParams();
/** The changes that are not rendered yet, in their order. */
let waiting: string[] = [];

/**
 * The URL's parameters, and a function that changes them. A change builds on those before it, of other fields too, which may not be
 * rendered yet: the router's own function would undo them.
 */
export function useFilterParams(): [params: URLSearchParams, change: (edit: (params: URLSearchParams) => void) => void] {
  const [params, setParams] = useSearchParams();
  const { key } = useLocation();
  useLayoutEffect(() => {
    if (key === rendered) return;
    rendered = key;
    const at = waiting.lastIndexOf(params.toString());
    // By a link, or by going back.
    if (at < 0) latest = params;
    waiting = at < 0 ? [] : waiting.slice(at + 1);
  }, [key, params]);
  useLayoutEffect(
    () => () => {
      rendered = null;
      waiting = [];
    },
    [],
  );
  const change = (edit: (params: URLSearchParams) => void) => {
    const next = new URLSearchParams(latest);
    edit(next);
    latest = next;
    waiting.push(next.toString());
    setParams(next, { replace: true, preventScrollReset: true });
  };
  return [params, change];
}
