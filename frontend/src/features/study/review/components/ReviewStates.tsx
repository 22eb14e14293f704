import { Link } from 'react-router';
import { formatNumber, plural } from '@/lib/format';
import { paths } from '@/paths';
import { addDays, formatDayName } from '@/shared/study/days';
import { cardsInReview } from '@/shared/study/review/reviewOfDay';
import type { CardFacts, DayReview } from '@/shared/study/review/reviewOfDay';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/State';

/** A member without any card. */
export function NoCards() {
  return (
    <EmptyState
      title="Remember what you read"
      actions={
        <>
          <LinkButton kind="primary" to={paths.highlights}>
            See your highlights
          </LinkButton>
          <LinkButton to={paths.reviewCards}>Write a question</LinkButton>
        </>
      }
    >
      <p>At the end of a summary you can add its key ideas. A highlight becomes a question with one press.</p>
    </EmptyState>
  );
}

interface Props {
  facts: readonly CardFacts[];
  freeLimit: number | null;
  today: string;
  review: DayReview;
  /** Of the session on this page. */
  result: { cards: number; right: number };
  /** The member's daily maximum. */
  max: number;
  /** A day with an answer counts for the member's streak (study.review-streak). */
  countsForStreak: boolean;
  /** How many more cards can be asked today. */
  more: number;
  onMore: () => void;
}

/** Nothing is left to review today: it was done, or nothing was due. */
export function NothingLeft({ facts, freeLimit, today, review, result, max, countsForStreak, more, onMore }: Props) {
  const isDone = result.cards > 0 || review.done > 0;
  return (
    <EmptyState
      title={isDone ? 'Done for today' : 'Nothing to review today'}
      {...(isDone && { figure: <DoneFigure /> })}
      actions={
        <>
          {more > 0 ? (
            <Button kind="primary" onClick={onMore}>
              Review {more} more
            </Button>
          ) : null}
          {isDone ? (
            <LinkButton {...(more === 0 && { kind: 'primary' })} to={paths.home}>
              Back to My Home
            </LinkButton>
          ) : (
            <LinkButton to={paths.shelf('finished')}>Add key ideas from a book</LinkButton>
          )}
        </>
      }
    >
      {result.cards > 0 ? (
        <p className="tabular">
          {plural(result.cards, 'card')}, {formatNumber(result.right)} right the first time.
        </p>
      ) : review.done > 0 ? (
        <p className="tabular">You have reviewed {plural(review.done, 'card')}.</p>
      ) : null}
      {isDone && countsForStreak ? <p>Today counts for your streak.</p> : null}
      {review.later > 0 ? (
        <p className="tabular">
          {formatNumber(review.later)} more {review.later === 1 ? 'is' : 'are'} due. You chose {max} a day.
        </p>
      ) : (
        <NextDay {...{ facts, freeLimit, today }} />
      )}
    </EmptyState>
  );
}

/** When cards are due again. */
function NextDay({ facts, freeLimit, today }: Pick<Props, 'facts' | 'freeLimit' | 'today'>) {
  const inReview = new Set(cardsInReview(facts, freeLimit));
  const days = facts.filter(({ id, due }) => inReview.has(id) && due > today).map(({ due }) => due);
  const [first] = days.sort();
  if (first === undefined) return <p>No card is in review: they are paused, or what they ask for is gone.</p>;
  const count = days.filter((day) => day === first).length;
  const when = first === addDays(today, 1) ? 'tomorrow' : `on ${formatDayName(first)}`;
  return <p className="tabular">{count === 1 ? `The next one comes ${when}.` : `The next ${formatNumber(count)} come ${when}.`}</p>;
}

/** The illustration of a finished review: a whole orange, cut, with a check in its middle. */
function DoneFigure() {
  return (
    <svg className="state__figure review__done" viewBox="0 0 112 112" aria-hidden="true" focusable="false">
      <circle className="review__done-ground" cx="56" cy="56" r="50" />
      <circle className="review__done-ring" cx="56" cy="56" r="37" />
      <path className="review__done-check" d="m40 57 11 11 22-24" />
    </svg>
  );
}

/** Says that some cards wait, because the member has no plan (study.free-cards). */
export function FreeLimit({ facts, freeLimit }: Pick<Props, 'facts' | 'freeLimit'>) {
  const all = cardsInReview(facts, null).length;
  if (freeLimit === null || all <= freeLimit) return null;
  return (
    <div className="review__limit">
      <Alert>
        <p>
          You have {formatNumber(all)} cards. {freeLimit} are in review; the others wait. <Link to={paths.try}>Upgrade</Link> to review all of them.
        </p>
      </Alert>
    </div>
  );
}
