import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import type { Book } from '@/api/types';
import { here } from '@/shared/reader/position';
import { noticesQuery } from '@/features/reading-progress/reading/queries';
import { loginFor } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

/** Requests one mail when a coming-soon summary becomes available, or cancels that. Visitors log in first. */
export function NoticeButton({ book, member }: { book: Book; member: number | null }) {
  if (member === null) {
    return (
      <LinkButton kind="primary" to={loginFor(here())}>
        <Icon name="bell" />
        Notify me
      </LinkButton>
    );
  }
  return <MemberNotice book={book} />;
}

function MemberNotice({ book }: { book: Book }) {
  const { data, error: unread } = useQuery(noticesQuery());
  const requested = data?.includes(book.id) ?? false;
  const change = useMutation({
    mutationFn: (request: boolean) =>
      request ? call('POST /api/user/notices', { body: { bookId: book.id } }) : call('DELETE /api/user/notices/{id}', { path: { id: String(book.id) } }),
    onSuccess: ({ isRequested }) => {
      queryClient.setQueryData(noticesQuery().queryKey, (books) => [...(isRequested ? [book.id] : []), ...(books ?? []).filter((id) => id !== book.id)]);
    },
  });
  const error = change.error ?? unread;
  return (
    <div className="library-button">
      <Button
        kind={requested ? 'secondary' : 'primary'}
        aria-pressed={requested}
        busy={change.isPending}
        aria-disabled={!data}
        onClick={() => change.mutate(!requested)}
      >
        {change.isPending ? null : <Icon name="bell" filled={requested} />}
        Notify me
      </Button>
      <p className="notice-note" role="status">
        {requested ? 'You will get one email when this summary is ready. Press again to cancel.' : null}
      </p>
      {error ? <Alert kind="harm">{messageOf(error)}</Alert> : null}
    </div>
  );
}
