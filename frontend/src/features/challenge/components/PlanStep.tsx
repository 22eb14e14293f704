import { Link } from 'react-router';
import { DayAccess, PlansNeeded } from '@/features/challenge/components/DayAccess';
import { calendarOf } from '@/features/challenge/calendar';
import { DailyMail } from '@/features/challenge/components/DailyMail';
import type { DraftBook, PlanBook } from '@/features/challenge/queries';
import { saveFile } from '@/lib/saveFile';
import { site } from '@/lib/site';
import { useStepHeading } from '@/lib/useStepHeading';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { BookCover } from '@/ui/BookCard';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { ProgressBar } from '@/ui/ProgressBar';
import { ShareLinks } from '@/ui/ShareLinks';

interface Props {
  /** How the viewer gets to read each is shown until the plan is saved. */
  books: readonly (PlanBook | DraftBook)[];
  goals: readonly string[];
  saved: boolean;
  /** `leaving`: a visitor is about to be redirected to the login. */
  state: 'idle' | 'saving' | 'leaving';
  problem: string | null;
  /** Undefined once the plan is saved. */
  onSave?: () => void;
  onNew: () => void;
}

/** The third step: ten books, one per day. */
export function PlanStep({ books, goals, saved, state, problem, onSave, onNew }: Props) {
  const heading = useStepHeading();
  const done = books.filter((book) => book.done).length;
  const left = books.filter((book) => !book.done);
  const draft = books.filter((book) => 'access' in book);
  // Who may read everything needs no marks.
  const marked = draft.some(({ access }) => access !== 'included');
  const saveCalendar = () => {
    const urlOf = (subid: string) => new URL(paths.book(subid), window.location.origin).href;
    saveFile(new Blob([calendarOf(left, site.name, urlOf, new Date())], { type: 'text/calendar' }), 'ten-day-challenge.ics');
  };
  return (
    <div className="page challenge">
      {problem === null ? null : <Alert kind="warning">{problem}</Alert>}
      <header className="challenge__head">
        <div>
          <h1 className="page__title" ref={heading} tabIndex={-1}>
            {saved && done === books.length ? 'Ten days, done' : 'Your ten days'}
          </h1>
          {goals.length > 0 ? (
            <ul className="challenge__chosen" aria-label="Your goals">
              {goals.map((goal) => (
                <li key={goal} className="chip">
                  {goal}
                </li>
              ))}
            </ul>
          ) : null}
        </div>
        <div className="challenge__actions">
          {saved ? null : (
            <Button kind="primary" large busy={state !== 'idle'} busyText={state === 'leaving' ? 'Go to login' : 'Saving'} onClick={() => onSave?.()}>
              Save Your Reading Plan
            </Button>
          )}
          <Button large onClick={onNew}>
            Create New Plan
          </Button>
        </div>
      </header>
      <p className="challenge__news" role="status">
        {state === 'leaving' ? 'Log in or sign up to save your plan.' : ''}
      </p>
      {saved ? (
        <div className="challenge__progress">
          <ProgressBar label="Days done" value={done} max={books.length} text={`${done} of ${books.length} days done`} />
          <p className="challenge__done tabular" aria-hidden="true">{`${done} of ${books.length} days done`}</p>
        </div>
      ) : null}
      {marked ? <PlansNeeded books={draft} /> : null}
      <ol className="challenge__days">
        {books.map((book, i) => (
          <li key={book.id} className={`day${book.done ? ' day--done' : ''}`}>
            <p className="day__number tabular">
              {`Day ${book.dayNo}`}
              {book.done ? (
                <span className="day__done">
                  <Icon name="check" />
                  Done
                </span>
              ) : null}
            </p>
            <div className="day__cover">
              <BookCover book={book} eager={i < 4} />
            </div>
            <div className="day__text">
              <h2 className="day__title">{book.title}</h2>
              <p className="day__author">{book.author}</p>
              {marked && 'access' in book ? <DayAccess access={book.access} /> : null}
            </div>
            <Link className="link link--more day__link" to={paths.book(book.subid)} aria-label={`${book.done ? 'Read Again' : 'Start Reading'}: ${book.title}`}>
              {book.done ? 'Read Again' : 'Start Reading'}
              <Icon name="chevronRight" />
            </Link>
          </li>
        ))}
      </ol>
      {saved ? <DailyMail /> : null}
      <div className="challenge__foot">
        {left.length > 0 ? (
          <Button onClick={saveCalendar}>
            <Icon name="download" />
            Add to your calendar
          </Button>
        ) : null}
        <ShareLinks path={paths.tenDayChallenge} text="Ten days, ten great books, fifteen minutes a day: will you read along?" />
      </div>
    </div>
  );
}
