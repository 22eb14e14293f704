import { useLayoutEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';

/**
 * The URL's parameters, and a function that changes them. A change builds on those before it, which may not be rendered yet: the
 * router's own function would undo them.
 */
export function useFilterParams(): [params: URLSearchParams, change: (edit: (params: URLSearchParams) => void) => void] {
  const [params, setParams] = useSearchParams();
  const latest = useRef(params);
  /** The changes that are not rendered yet, in their order. */
  const waiting = useRef<string[]>([]);
  useLayoutEffect(() => {
    const at = waiting.current.lastIndexOf(params.toString());
    // By a link, or by going back.
    if (at < 0) latest.current = params;
    waiting.current = at < 0 ? [] : waiting.current.slice(at + 1);
  }, [params]);
  const change = (edit: (params: URLSearchParams) => void) => {
    const next = new URLSearchParams(latest.current);
    edit(next);
    latest.current = next;
    waiting.current.push(next.toString());
    setParams(next, { replace: true, preventScrollReset: true });
  };
  return [params, change];
}
