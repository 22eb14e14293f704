import { Link } from 'react-router';
import type { Progress } from '@/api/types';
import { dayName, fullness, monthsOf, weeksOf } from '@/features/reading-progress/progress/calendar';
import { plural } from '@/lib/format';
import { paths } from '@/paths';

/** Counts readings, not books: a book that was completed twice counts twice. */
const readings = (completions: number) => plural(completions, 'reading');
const said = (completions: number) => (completions === 0 ? 'nothing completed' : readings(completions));

/** A year of reading, one square per day, those for which a streak paused outlined (reading-progress.streak-pauses); shows as many weeks as fit, the latest on the right. */
export function Calendar({ progress }: { progress: Pick<Progress, 'days' | 'today' | 'pausedDays'> }) {
  const { days, today, pausedDays } = progress;
  const months = monthsOf(days);
  const total = days.reduce((sum, { completions }) => sum + completions, 0);
  return (
    <figure className="calendar">
      <div className="calendar__weeks" aria-hidden="true">
        {weeksOf(today, days, pausedDays).map((week, i) => (
          <div key={i} className="calendar__week">
            <span className="calendar__month">{week.month}</span>
            {week.squares.map((square, day) =>
              square ? (
                <span
                  key={day}
                  className={[
                    'calendar__day',
                    `calendar__day--${fullness(square.completions)}`,
                    square.today && 'calendar__day--today',
                    square.isPaused && 'calendar__day--paused',
                  ]
                    .filter(Boolean)
                    .join(' ')}
                  title={`${dayName(square.day)}: ${square.isPaused ? 'your streak paused' : said(square.completions)}`}
                />
              ) : (
                <span key={day} className="calendar__day calendar__day--none" />
              ),
            )}
          </div>
        ))}
      </div>
      <ul className="visually-hidden" aria-label="By month">
        {months.map(({ month, days: read, completions }) => (
          <li key={month}>{`${month}: ${readings(completions)} on ${plural(read, 'day')}`}</li>
        ))}
      </ul>
      <figcaption className="calendar__caption">
        <span className="calendar__sum">
          {total === 0 ? 'No summary completed in the last 53 weeks' : `${readings(total)} on ${plural(days.length, 'day')}`}
        </span>
        <span className="calendar__legend" aria-hidden="true">
          Less
          {[0, 1, 2, 3].map((step) => (
            <span key={step} className={`calendar__day calendar__day--${step}`} />
          ))}
          More
        </span>
        <span className="calendar__pauses">
          <span className="calendar__day calendar__day--paused" aria-hidden="true" />A streak pauses by itself for two missed days a month
        </span>
        <Link className="calendar__zone" to={paths.timeZone}>
          Days follow your time zone
        </Link>
      </figcaption>
    </figure>
  );
}
