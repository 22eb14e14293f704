import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { NETWORK_FAILURE } from '@/api/errors';
import { isPlainKey } from '@/lib/plainKey';
import { nextMoment } from '@/shared/positions/places';
import { pauseCard } from '@/shared/study/cardChanges';
import { formatDayName, addDays } from '@/shared/study/days';
import { newId } from '@/shared/study/ids';
import type { Rating, ReviewCard } from '@/shared/study/records';
import { askedCards } from '@/shared/study/review/askedCards';
import { minutesFor, nextDueDay, reviewOfDay } from '@/shared/study/review/reviewOfDay';
import { useReviewRules } from '@/shared/study/review/useReviewRules';
import { rememberNextDue } from '@/shared/study/studyFlags';
import { syncStudy } from '@/shared/study/studySync';
import { UNREACHED, useStudyRecords } from '@/shared/study/useStudyRecords';
import { CardFace } from '@/features/study/review/components/CardFace';
import { RATINGS, RatingButtons } from '@/features/study/review/components/RatingButtons';
import { FreeLimit, NoCards, NothingLeft } from '@/features/study/review/components/ReviewStates';
import { dialogsChunk } from '@/features/study/review/components/dialogsChunk';
import { ReviewHead, ReviewSkeleton } from '@/features/study/review/components/ReviewSkeleton';
import { isEditable } from '@/features/study/review/cards';
import { NEW_SESSION, progressOf, resultOf, sessionReducer } from '@/features/study/review/session';
import type { Session } from '@/features/study/review/session';
import { useUnsavedRating } from '@/features/study/review/useUnsavedRating';
import { Button } from '@/ui/Button';
import { useChunk } from '@/ui/chunk';
import { ProgressBar } from '@/ui/ProgressBar';
import { ErrorState } from '@/ui/State';
import { toast } from '@/ui/toast';

/** How many more cards a press adds to a day that asks no more. */
const MORE = 10;

export { loadStudy } from '@/shared/study/useStudyRecords';

/** The cards that are due, one at a time (study.review-screen). */
export function Review({ member }: { member: number }) {
  const { records, isWaiting, hasFailed } = useStudyRecords(member, 'cards');
  const { zone, today, max, freeLimit, countsForStreak } = useReviewRules(member);
  /** How many cards the member has asked for beyond the day's maximum. */
  const [extra, setExtra] = useState(0);
  const [session, dispatch] = useReducer(sessionReducer, NEW_SESSION);
  const [said, setSaid] = useState('');
  const [edited, setEdited] = useState<ReviewCard | null>(null);
  const dialogs = useChunk(dialogsChunk, records.cards.size > 0, edited?.id ?? 0);
  const { unsaved } = session;
  const cards = useMemo(() => askedCards(records, zone, today, unsaved), [records, zone, today, unsaved]);
  const facts = useMemo(() => cards.map((one) => one.facts), [cards]);
  const review = useMemo(() => reviewOfDay(facts, freeLimit, max + extra, today), [facts, freeLimit, max, extra, today]);
  const nextDue = nextDueDay(facts, freeLimit, review, today);
  useEffect(() => {
    if (!isWaiting) rememberNextDue(nextDue);
  }, [isWaiting, nextDue]);
  // The queue follows what is due, in the same render.
  const followed = sessionReducer(session, { type: 'due', due: review.due });
  if (followed !== session) dispatch({ type: 'due', due: review.due });

  const root = useRef<HTMLDivElement>(null);
  const takeFocus = useFocusOnCard(root);
  const saveLast = useUnsavedRating(unsaved, (id) => dispatch({ type: 'saved', id }));

  const current = cards.find(({ card }) => card.id === session.queue[0]);
  const show = () => {
    takeFocus();
    dispatch({ type: 'show' });
  };
  const rate = (rating: Rating) => {
    if (!current || !session.isAnswerShown) return;
    takeFocus();
    saveLast();
    const answer = { id: newId(), cardId: current.card.id, rating, at: nextMoment() };
    dispatch({ type: 'rate', answer });
    const name = RATINGS.find((one) => one.rating === rating)?.name ?? '';
    const days = current.next[rating - 1] ?? 0;
    setSaid(`${name}. ${days === 0 ? 'Comes again today.' : `Comes again on ${formatDayName(addDays(today, days))}.`}`);
  };
  const undo = () => {
    takeFocus();
    dispatch({ type: 'undo' });
    setSaid('The rating was taken back.');
  };
  const pause = (card: ReviewCard) => {
    takeFocus();
    void pauseCard(card, true);
    toast('Card paused.', { label: 'Undo', run: () => void pauseCard(card, false) });
  };
  const edit = current && isEditable(current.card, records.highlights) ? () => setEdited(current.card) : null;
  useReviewKeys({
    onShow: current && !session.isAnswerShown ? show : null,
    onRate: current && session.isAnswerShown ? rate : null,
    onUndo: unsaved ? undo : null,
    onEdit: edit,
  });

  const isEmpty = cards.length === 0 && !isWaiting && !hasFailed;
  return (
    <div className="page review" ref={root}>
      <ReviewHead />
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {isWaiting ? <ReviewSkeleton /> : null}
      {hasFailed ? (
        // With some cards below, the page is not missing from this device.
        <ErrorState {...(cards.length > 0 ? { message: NETWORK_FAILURE } : { error: UNREACHED })} onRetry={() => void syncStudy()} />
      ) : null}
      {isEmpty ? <NoCards /> : null}
      {current && !isWaiting ? (
        <>
          <Progress session={session} />
          <CardFace key={session.turn} card={current.card} highlights={records.highlights} isAnswerShown={session.isAnswerShown} />
          <div className="review__actions">
            {session.isAnswerShown ? (
              <RatingButtons next={current.next} onRate={rate} />
            ) : (
              <Button kind="primary" large wide aria-keyshortcuts="Space" onClick={show}>
                Show answer
              </Button>
            )}
          </div>
        </>
      ) : null}
      {!current && !isWaiting && cards.length > 0 ? (
        <NothingLeft
          facts={facts}
          freeLimit={freeLimit}
          today={today}
          review={review}
          result={resultOf(session)}
          max={max}
          countsForStreak={countsForStreak}
          more={Math.min(MORE, review.later)}
          onMore={() => {
            takeFocus();
            setExtra(Math.max(0, review.done + MORE - max));
          }}
        />
      ) : null}
      {unsaved || current ? (
        <div className={current ? 'review__tools' : 'review__tools review__tools--end'}>
          {unsaved ? (
            <Button kind="quiet" aria-keyshortcuts="u" onClick={undo}>
              Undo
            </Button>
          ) : null}
          {current ? (
            <span className="review__card-tools">
              {edit ? (
                <Button kind="quiet" aria-keyshortcuts="e" onClick={edit}>
                  Edit
                </Button>
              ) : null}
              <Button kind="quiet" onClick={() => pause(current.card)}>
                Pause this card
              </Button>
            </span>
          ) : null}
        </div>
      ) : null}
      {current ? <p className="review__keys">Space shows the answer, 1 to 4 rate it, U takes the last rating back.</p> : null}
      <FreeLimit facts={facts} freeLimit={freeLimit} />
      {edited && dialogs ? <dialogs.CardDialog card={edited} highlights={records.highlights} onClose={() => setEdited(null)} /> : null}
    </div>
  );
}

function Progress({ session }: { session: Session }) {
  const { done, total } = progressOf(session);
  const text = `${done + 1} of ${total}`;
  return (
    <div className="review__progress">
      <p className="review__count tabular">
        {text} · about {minutesFor(session.queue.length)}
      </p>
      <ProgressBar label="Cards of today" value={done} max={total} text={text} />
    </div>
  );
}

/** Focuses the question, the answer or the end once the page is rendered after a press. */
function useFocusOnCard(root: RefObject<HTMLElement | null>): () => void {
  const isWanted = useRef(false);
  useLayoutEffect(() => {
    if (!isWanted.current) return;
    isWanted.current = false;
    const target = root.current?.querySelector<HTMLElement>('[data-focus], .state__title');
    if (!target) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: 'nearest' });
  });
  return () => {
    isWanted.current = true;
  };
}

interface Keys {
  onShow: (() => void) | null;
  onRate: ((rating: Rating) => void) | null;
  onUndo: (() => void) | null;
  onEdit: (() => void) | null;
}

/** What Space and Enter press by themselves. */
const PRESSED = 'a, button, summary';

/** Space or Enter shows the answer, 1 to 4 rate it, `u` and Ctrl+Z take the last rating back, `e` edits. */
function useReviewKeys({ onShow, onRate, onUndo, onEdit }: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.repeat) return;
    const isOnControl = event.target instanceof Element && event.target.closest(PRESSED) !== null;
    const rating = RATINGS.find((one) => isPlainKey(event, String(one.rating)))?.rating;
    let run: (() => void) | null = null;
    if (isPlainKey(event, ' ') || isPlainKey(event, 'enter')) run = isOnControl ? null : onShow;
    else if (rating !== undefined) run = onRate && (() => onRate(rating));
    else if (isPlainKey(event, 'u')) run = onUndo;
    else if (isPlainKey(event, 'e')) run = onEdit;
    if (!run) return;
    event.preventDefault();
    run();
  });
  const onUndoKey = useEffectEvent((event: KeyboardEvent) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z';
    const isInField = event.target instanceof Element && event.target.closest('input, textarea, dialog') !== null;
    if (!isUndo || isInField || event.defaultPrevented || !onUndo) return;
    event.preventDefault();
    onUndo();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    const undoListener = (event: KeyboardEvent) => onUndoKey(event);
    // Before the player, which also uses the space bar.
    document.addEventListener('keydown', listener, true);
    // After the toasts: their Undo comes first.
    window.addEventListener('keydown', undoListener);
    return () => {
      document.removeEventListener('keydown', listener, true);
      window.removeEventListener('keydown', undoListener);
    };
  }, []);
}
