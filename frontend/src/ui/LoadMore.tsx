import type { ReactNode } from 'react';
import { messageOf } from '@/api/errors';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';

interface Props {
  /** A list that comes by pages. */
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; error: unknown; fetchNextPage: () => Promise<unknown> };
  large?: boolean;
  children?: ReactNode;
}

/** What stands below a list that is not all here: the way to the next page, and why it did not come. */
export function LoadMore({ list, large = false, children = 'Load more' }: Props) {
  if (!list.hasNextPage) return null;
  return (
    <div className="load-more">
      {list.isFetchNextPageError ? <Alert kind="harm">{messageOf(list.error)}</Alert> : null}
      <Button large={large} busy={list.isFetchingNextPage} busyText="Loading…" onClick={() => void list.fetchNextPage()}>
        {children}
      </Button>
    </div>
  );
}
