import { messageOf } from '@/api/errors';
import type { Book } from '@/api/types';
import { OfferButton } from '@/shared/payment/OfferButton';
import { goToText } from '@/features/reading-progress/reading/goToText';
import { useOpenBook } from '@/features/reading-progress/reading/useOpenBook';
import { usesFree } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';

interface Props {
  book: Book;
  /** The book's id or slug, as in the URL. */
  id: string;
  member: number | null;
  large?: boolean;
  /** The book was completed before. */
  again?: boolean;
}

/** Whether reading the book uses one of this member's free summaries. */
export const takesFree = (book: Book, member: number | null): book is Book & { allowance: NonNullable<Book['allowance']> } =>
  member !== null && book.body === null && !book.comingSoon && !book.limitReached && (book.allowance?.left ?? 0) > 0;

/** Goes to the text. If reading uses a free summary, the button says so, and pressing it opens the book. */
export function ReadButton({ book, id, member, large = false, again = false }: Props) {
  const { mutate, isPending, error } = useOpenBook(id);
  if (takesFree(book, member)) {
    return (
      <>
        <Button kind="primary" large={large} busy={isPending} busyText="Opening…" onClick={() => mutate()}>
          <Icon name="book" />
          {`Read · ${usesFree(book.allowance)}`}
        </Button>
        {error ? <Alert kind="harm">{messageOf(error)}</Alert> : null}
      </>
    );
  }
  if (member !== null && book.limitReached) {
    return (
      <OfferButton
        kind="primary"
        large={large}
        label="Read · no free summaries left"
        text="You have read your free summaries. With a plan, you can read this summary and every other one in full."
      />
    );
  }
  if (book.body === null && book.truncatedBody === null) return null;
  return (
    <Button kind="primary" large={large} onClick={() => goToText()}>
      <Icon name="book" />
      {again ? 'Read again' : 'Read'}
    </Button>
  );
}
