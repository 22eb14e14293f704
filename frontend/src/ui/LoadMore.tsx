import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { loadFailureOf } from '@/api/errors';
import { formatNumber } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';

interface Props {
  /** A paginated list, as from `useInfiniteQuery`. */
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; error: unknown; fetchNextPage: () => Promise<unknown> };
  large?: boolean;
  /** How many entries are not loaded yet, if known. */
  remaining?: number;
  children?: ReactNode;
}

/** The entries before the next page was requested, and whether a pointer device requested it. */
interface PageRequest {
  around: ParentNode;
  entries: ReadonlySet<Element>;
  pointer: boolean;
}

const entriesOf = (around: ParentNode) => [...around.querySelectorAll<HTMLElement>('li, tbody > tr')];

/**
 * The button below a list that loads its next page, and the error when that fails. Then the focus moves to the page's
 * first entry, and a live region announces how many were loaded; the button may be removed by then.
 */
export function LoadMore({ list, large = false, remaining, children = 'Load more' }: Props) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = list;
  const [news, setNews] = useState<string | null>(null);
  const requested = useRef<PageRequest | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const left = remaining !== undefined && remaining > 0 ? `${formatNumber(remaining)} ${remaining === 1 ? 'remains' : 'remain'}` : null;

  useLayoutEffect(() => {
    const before = requested.current;
    if (isFetchingNextPage || before === null) return;
    const fresh = entriesOf(before.around).filter((entry) => !before.entries.has(entry));
    // Items nested in an entry do not count.
    const came = fresh.filter((entry) => !fresh.some((other) => other !== entry && other.contains(entry)));
    if (came[0] === undefined) return;
    requested.current = null;
    setNews(`${formatNumber(came.length)} more loaded.`);
    // Not when the focus has moved elsewhere meanwhile.
    const now = document.activeElement;
    if (now && now !== document.body && now !== button.current) return;
    came[0].querySelector<HTMLElement>('a[href], button')?.focus({ preventScroll: before.pointer });
    // Depends on the list as well: a page may load so fast that no fetching state is rendered.
  }, [list, isFetchingNextPage]);

  return (
    <>
      {news === null ? null : (
        <p className="visually-hidden" role="status">
          {news}
        </p>
      )}
      {hasNextPage ? (
        <div className="load-more">
          {isFetchNextPageError ? <Alert kind="harm">{loadFailureOf(list.error)}</Alert> : null}
          <Button
            large={large}
            ref={button}
            aria-describedby={left === null ? undefined : id}
            busy={isFetchingNextPage}
            busyText="Loading…"
            onClick={(event) => {
              const around = event.currentTarget.closest('main') ?? document;
              requested.current = { around, entries: new Set(entriesOf(around)), pointer: event.detail > 0 };
              setNews('');
              void list.fetchNextPage();
            }}
          >
            {children}
          </Button>
          {left === null ? null : (
            <p className="load-more__left tabular" id={id}>
              {left}
            </p>
          )}
        </div>
      ) : null}
    </>
  );
}
