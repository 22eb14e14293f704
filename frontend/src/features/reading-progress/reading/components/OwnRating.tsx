import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import type { Book } from '@/api/types';
import { RatingForm } from '@/features/reading-progress/reading/components/RatingForm';
import type { RatingDraft } from '@/features/reading-progress/reading/components/RatingForm';
import { cacheOwnRating } from '@/features/reading-progress/reading/cacheOwnRating';
import { plural } from '@/lib/format';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';

interface Props {
  book: Book;
  id: string;
  rating: NonNullable<Book['ownRating']>;
  /** Called when the rating was withdrawn: the book can be rated again. */
  onTakenBack: () => void;
}

/** The member's own rating, at the end of the summary: it can be changed and withdrawn. */
export function OwnRating({ book, id, rating, onTakenBack }: Props) {
  const [draft, setDraft] = useState<RatingDraft | null>(null);
  const takeBack = useMutation({
    mutationFn: () => call('DELETE /api/books/rating/{id}', { path: { id: String(book.id) } }),
    onSuccess: () => {
      cacheOwnRating(id, null);
      onTakenBack();
    },
  });
  if (draft) {
    return (
      <div className="own-rating">
        <RatingForm
          book={book}
          draft={draft}
          onDraft={setDraft}
          onRated={(changed) => {
            cacheOwnRating(id, changed);
            setDraft(null);
          }}
        />
        <Button kind="quiet" onClick={() => setDraft(null)}>
          Keep it as it was
        </Button>
      </div>
    );
  }
  return (
    <section className="own-rating" aria-label="Your rating">
      <p className="own-rating__text">
        {`You gave this summary ${plural(rating.rating, 'star')}.`}
        {rating.feedback ? <q className="own-rating__feedback">{rating.feedback}</q> : null}
      </p>
      <div className="own-rating__actions">
        <Button onClick={() => setDraft({ rating: rating.rating, feedback: rating.feedback })}>Change</Button>
        <Button kind="quiet" busy={takeBack.isPending} busyText="Removing…" onClick={() => takeBack.mutate()}>
          Remove
        </Button>
      </div>
      {takeBack.isError ? <Alert kind="warning">{messageOf(takeBack.error)}</Alert> : null}
    </section>
  );
}
