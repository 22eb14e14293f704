import { messageOf } from '@/api/errors';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';

interface Pages {
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** What stands below a list that is not all here: the next page, and why it did not come. */
export function MoreRows({ error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage }: Pages) {
  return (
    <>
      {isFetchNextPageError ? (
        <div className="admin__failure">
          <Alert kind="harm">{messageOf(error)}</Alert>
        </div>
      ) : null}
      {hasNextPage ? (
        <div className="admin__more">
          <Button busy={isFetchingNextPage} busyText="Loading…" onClick={() => void fetchNextPage()}>
            Load More
          </Button>
        </div>
      ) : null}
    </>
  );
}
