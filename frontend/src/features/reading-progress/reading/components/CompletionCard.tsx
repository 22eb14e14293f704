import { useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import type { Book, Progress } from '@/api/types';
import { NextBook } from '@/shared/catalogue/NextBook';
import { useNextBooks } from '@/shared/catalogue/useNextBooks';
import type { CommitmentPanel } from '@/shared/study/commitments/CommitmentPanel';
import { ReviewIdeasButton, hasIdeas } from '@/shared/study/ReviewIdeasButton';
import { areCommitmentsOff } from '@/shared/study/settings';
import { formatNumber, plural } from '@/lib/format';
import { site } from '@/lib/site';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { chunkOf, useChunk } from '@/ui/chunk';
import { IconButton } from '@/ui/IconButton';
import { Peel } from '@/ui/State';

/** The state of the completion: being saved, acknowledged (with progress if it was the first time), or not saved yet. */
export type Completion = { state: 'saving' } | { state: 'saved'; progress: Progress | null } | { state: 'failed' };

/** Experience points for a summary completed for the first time (reading-progress.experience-points). */
const XP_EACH = 10;

interface Props {
  book: Pick<Book, 'id' | 'subid' | 'title' | 'author' | 'body' | 'completed'>;
  completion: Completion;
  /** Whether the card takes the focus: after a press on Finish, but not when the reader scrolled to the end. */
  takesFocus: boolean;
  onFocused: () => void;
  onClose: () => void;
  /** Scrolls to the rating form; null when there is none. */
  onRate: (() => void) | null;
}

/** What the member will do with the book, with its store. */
const commitmentChunk = chunkOf<{ CommitmentPanel: typeof CommitmentPanel }>(
  () => import(/* webpackChunkName: "commitment" */ '@/shared/study/commitments/CommitmentPanel'),
  // The rest of the card is of use without it.
  { CommitmentPanel: () => null },
);

/** What finishing has brought, what the member will do with the book, and a recommended book: a non-modal dialog below the text, so that it covers nothing (reading-progress.completion-card). */
export function CompletionCard({ book, completion, takesFocus, onFocused, onClose, onRate }: Props) {
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    title.current?.focus({ preventScroll: true });
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    title.current?.closest('.completion')?.scrollIntoView({ block: 'center', behavior: calm ? 'instant' : 'smooth' });
    onFocused();
  }, [takesFocus, onFocused]);
  return (
    // Escape does the same as its Close button; the dialog itself is not a control.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above
    <div
      className="completion"
      role="dialog"
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className="completion__head">
        <h3 className="completion__title" id={titleId} ref={title} tabIndex={-1}>
          {book.completed ? 'You have finished this again' : 'You have finished this summary'}
        </h3>
        <IconButton className="completion__close" icon="close" label="Close" onClick={onClose} />
      </div>
      <div className="completion__body" aria-live="polite">
        <Body book={book} completion={completion} />
      </div>
      {onRate || hasIdeas(book) ? (
        <div className="completion__actions">
          {onRate ? (
            <Button large onClick={onRate}>
              Rate this summary
            </Button>
          ) : null}
          {hasIdeas(book) ? <ReviewIdeasButton book={book} large /> : null}
        </div>
      ) : null}
      <Commitment book={book} />
      <RecommendedBook read={book.id} />
    </div>
  );
}

/** What the member will do with the book (study.kept-commitments). */
function Commitment({ book }: Pick<Props, 'book'>) {
  const isAsked = !areCommitmentsOff();
  const commitment = useChunk(commitmentChunk, isAsked);
  if (!isAsked) return null;
  return commitment ? <commitment.CommitmentPanel book={book} /> : <div className="completion__waiting" aria-hidden="true" />;
}

/** The next book to read. */
function RecommendedBook({ read }: { read: number }) {
  const next = useNextBooks(read);
  const first = next === 'failed' ? undefined : next?.books[0];
  if (next !== null && !first) return null;
  return (
    <div className="completion__after">
      <NextBook next={first ?? null} />
    </div>
  );
}

function Body({ book: { title, completed }, completion }: Pick<Props, 'book' | 'completion'>) {
  if (completion.state === 'failed') {
    return <p>{`“${title}” could not be marked as completed yet. ${site.name} will try again as soon as you are back online.`}</p>;
  }
  if (completed) {
    return <p>{`You have completed “${title}” before. XP counts once for each summary; what you notice the second time is yours to keep.`}</p>;
  }
  if (completion.state === 'saving') return <p>{`“${title}” is being added to your completed summaries.`}</p>;
  const { progress } = completion;
  // Another tab, or listening, has already completed it.
  if (!progress) return <p>{`“${title}” is among your completed summaries.`}</p>;
  const reached = progress.awards.find((award) => award.achieved && award.xp > progress.xp - XP_EACH);
  const next = progress.awards.find((award) => !award.achieved);
  return (
    <>
      <p>{`“${title}” is now among your completed summaries.`}</p>
      <dl className="completion__figures">
        <div className="completion__figure">
          <dt>XP</dt>
          <dd className="tabular">{formatNumber(progress.xp)}</dd>
          <dd className="completion__note">{`+${XP_EACH} for this one`}</dd>
        </div>
        <div className="completion__figure">
          <dt>Streak</dt>
          <dd className="tabular">{plural(progress.streaks.currentStreak, 'day')}</dd>
          <dd className="completion__note">{`best ${progress.streaks.bestStreak}`}</dd>
        </div>
        <div className="completion__figure">
          <dt>Completed</dt>
          <dd className="tabular">{formatNumber(progress.numCompleted)}</dd>
          <dd className="completion__note">{progress.numCompleted === 1 ? 'summary' : 'summaries'}</dd>
        </div>
      </dl>
      {reached ? (
        <p className="completion__award">
          <Peel />
          {`A new award: ${reached.name}, for ${formatNumber(reached.xp)} XP.`}
        </p>
      ) : next ? (
        <p className="completion__next">{`${formatNumber(next.xp - progress.xp)} XP to the next award, ${next.name}.`}</p>
      ) : null}
      <p>
        <Link className="link" to={paths.myProgress}>
          See my progress
        </Link>
      </p>
    </>
  );
}
