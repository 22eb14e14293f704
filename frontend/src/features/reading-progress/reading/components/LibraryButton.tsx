import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { useSignedIn } from '@/api/session';
import type { Book } from '@/api/types';
import { saveLibrary } from '@/shared/positions/positionSync';
import { here } from '@/shared/reader/position';
import { bookQuery } from '@/features/reading-progress/reading/queries';
import { loginFor } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

/** The alert for visitors (reading-progress.library-pages). */
const NEEDS_LOGIN = 'Please login to access this feature';

/** Adds a book to the member's library or removes it. `id` is the book's id or slug in the URL. */
export function LibraryButton({ book, id }: { book: Book; id: string }) {
  const signedIn = useSignedIn();
  const [refused, setRefused] = useState(false);
  const change = useMutation({
    mutationFn: (add: boolean) => saveLibrary(book.id, add),
    onSuccess: (_, isInLibrary) => {
      // Changes only this field, so that the notice about the allowance stays.
      queryClient.setQueryData(bookQuery(id).queryKey, (seen) => seen && { ...seen, book: { ...seen.book, isInLibrary } });
      void queryClient.invalidateQueries({ queryKey: ['member', 'library'] });
    },
  });
  return (
    <div className="library-button">
      <Button
        aria-pressed={signedIn ? book.isInLibrary : undefined}
        busy={change.isPending}
        onClick={() => {
          if (signedIn) change.mutate(!book.isInLibrary);
          else setRefused(true);
        }}
      >
        {change.isPending ? null : <Icon name="bookmark" filled={book.isInLibrary} />}
        {book.isInLibrary ? 'Remove from library' : 'Add to library'}
      </Button>
      {refused && !signedIn ? (
        <>
          <Alert kind="warning">{NEEDS_LOGIN}</Alert>
          <Link className="link link--more" to={loginFor(here())}>
            Log in
          </Link>
        </>
      ) : null}
      {change.isError ? <Alert kind="harm">{messageOf(change.error)}</Alert> : null}
    </div>
  );
}
