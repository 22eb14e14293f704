import { Link } from 'react-router';
import type { Book, Progress } from '@/api/types';
import { NextBook } from '@/domain/NextBook';
import { useNextBooks } from '@/domain/useNextBooks';
import { formatNumber, plural } from '@/lib/format';
import { site } from '@/lib/site';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Peel } from '@/ui/State';

/** The completion's state: being saved, acknowledged (with progress when it was the first time), or not saved yet. */
export type Completion = { state: 'saving' } | { state: 'saved'; progress: Progress | null } | { state: 'failed' };

/** Experience points for a summary completed for the first time (decisions.md 25). */
const XP_EACH = 10;

interface Props {
  book: Pick<Book, 'id' | 'title'>;
  completion: Completion | null;
  onClose: () => void;
  /** Leads to the rating form, while there is one. */
  onRate: (() => void) | null;
}

export function CompletionDialog({ book, completion, onClose, onRate }: Props) {
  return (
    <Dialog open={completion !== null} onClose={onClose} title={completion?.state === 'saved' && !completion.progress ? 'The last idea, once more' : 'You have reached the last idea'} className="completion">
      <div className="completion__body" aria-live="polite">
        {completion ? <Body title={book.title} completion={completion} /> : null}
      </div>
      <div className="completion__actions">
        <Button kind="primary" large onClick={onClose}>
          Read the last idea
        </Button>
        {onRate ? (
          <Button large onClick={onRate}>
            Rate this summary
          </Button>
        ) : null}
      </div>
      <RecommendedBook read={book.id} />
    </Dialog>
  );
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

function Body({ title, completion }: { title: string; completion: Completion }) {
  if (completion.state === 'failed') {
    return <p>{`“${title}” could not be marked as completed yet. ${site.name} tries again as soon as you are back online.`}</p>;
  }
  if (completion.state === 'saving') return <p>{`“${title}” is being added to your completed summaries.`}</p>;
  const { progress } = completion;
  if (!progress) {
    return <p>{`You had completed “${title}” before. XP counts once for each summary; what you notice the second time counts for you.`}</p>;
  }
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
