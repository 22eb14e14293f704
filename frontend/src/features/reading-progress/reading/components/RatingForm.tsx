import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import type { SyntheticEvent } from 'react';
import { messageOf } from '@/api/errors';
import type { Book } from '@/api/types';
import { saveRating } from '@/shared/positions/positionSync';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Star } from '@/ui/Stars';

/** Maximum length of the feedback, in characters (reading-progress.rating-rules). */
export const FEEDBACK_LIMIT = 500;
const NO_RATING = 'Please select a rating before submitting!';
const WORDS = ['', 'Not for me', 'Fair', 'Good', 'Very good', 'Excellent'] as const;

/** The draft of the rating, stored by the reader so that turning to another section does not lose it. */
export interface RatingDraft {
  rating: number;
  feedback: string;
}

interface Props {
  book: Pick<Book, 'id' | 'subid' | 'title'>;
  draft: RatingDraft;
  onDraft: (draft: RatingDraft) => void;
  onRated: (rating: NonNullable<Book['ownRating']>) => void;
}

/** One to five stars and optional feedback (reading-progress.rating-form: unrated, submitted with thanks, then hidden). */
export function RatingForm({ book, draft, onDraft, onRated }: Props) {
  const [missing, setMissing] = useState(false);
  const name = useId();
  const thanks = useRef<HTMLParagraphElement>(null);
  const submit = useMutation({
    mutationFn: () => saveRating(book, draft.rating, draft.feedback.trim()),
    onSuccess: () => onRated({ rating: draft.rating, feedback: draft.feedback.trim() }),
  });

  useEffect(() => {
    // The pressed button is removed: the focus moves to its replacement.
    if (submit.isSuccess) thanks.current?.focus();
  }, [submit.isSuccess]);

  if (submit.isSuccess) {
    return (
      <p className="rating__thanks" ref={thanks} tabIndex={-1} role="status">
        Thank you. Your rating helps other readers choose, and helps us write better summaries.
        {submit.data === 'waits' ? ' It will be sent when you are back online.' : null}
      </p>
    );
  }

  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    setMissing(draft.rating === 0);
    if (draft.rating > 0) submit.mutate();
  };

  const error = missing ? NO_RATING : submit.isError ? messageOf(submit.error) : null;
  return (
    <form className="rating" onSubmit={onSubmit} noValidate>
      <fieldset aria-describedby={missing ? `${name}-error` : undefined}>
        <legend className="rating__legend">Your rating</legend>
        <div className="rating__stars">
          {[1, 2, 3, 4, 5].map((stars) => (
            <label key={stars} className={stars <= draft.rating ? 'rating__star rating__star--on' : 'rating__star'}>
              <input
                type="radio"
                className="rating__input"
                name={name}
                value={stars}
                checked={draft.rating === stars}
                onChange={() => {
                  setMissing(false);
                  onDraft({ ...draft, rating: stars });
                }}
              />
              <Star full={stars <= draft.rating} />
              <span className="visually-hidden">{`${stars} ${stars === 1 ? 'star' : 'stars'}`}</span>
            </label>
          ))}
          <span className="rating__word" aria-hidden="true">
            {WORDS[draft.rating]}
          </span>
        </div>
      </fieldset>
      <div className="field">
        <label className="field__label" htmlFor={`${name}-feedback`}>
          Feedback (optional)
        </label>
        <textarea
          id={`${name}-feedback`}
          className="input rating__feedback"
          rows={4}
          maxLength={FEEDBACK_LIMIT}
          aria-describedby={`${name}-count`}
          value={draft.feedback}
          onChange={(event) => onDraft({ ...draft, feedback: event.target.value })}
        />
        <p className="rating__count tabular" id={`${name}-count`}>
          {`${draft.feedback.length}/${FEEDBACK_LIMIT}`}
        </p>
      </div>
      {error ? (
        <div id={`${name}-error`}>
          <Alert kind="warning">{error}</Alert>
        </div>
      ) : null}
      <Button type="submit" kind="primary" large busy={submit.isPending} busyText="Sending…">
        Submit rating
      </Button>
    </form>
  );
}
