import { messageOf } from '@/api/errors';
import { LIBRARY_PAGE } from '@/features/reading/queries';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';

interface Props {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; error: unknown; fetchNextPage: () => Promise<unknown> };
}

/** The end of a list: the next 20, and why they did not come. */
export function LoadMore({ query }: Props) {
  return (
    <>
      {query.isFetchNextPageError ? (
        <div className="library__failure">
          <Alert kind="harm">{messageOf(query.error)}</Alert>
        </div>
      ) : null}
      {query.hasNextPage ? (
        <div className="library__more">
          <Button busy={query.isFetchingNextPage} busyText="Loading…" onClick={() => void query.fetchNextPage()}>
            {`Load ${LIBRARY_PAGE} more`}
          </Button>
        </div>
      ) : null}
    </>
  );
}
