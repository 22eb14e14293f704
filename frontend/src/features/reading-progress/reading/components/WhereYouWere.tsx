import { useId, useState } from 'react';
import { serverNow } from '@/api/clock';
import { longAgo, recalledHighlights } from '@/features/reading-progress/reading/recalled';
import { plural } from '@/lib/format';
import { sectionTitle } from '@/lib/sections';
import type { BookSection } from '@/lib/sections';
import { currentMember } from '@/shared/session/account';
import { areHighlightsOff, hasStored } from '@/shared/study/studyFlags';
import { highlightsOf, studyStore } from '@/shared/study/studyStore';
import { Button } from '@/ui/Button';
import '@/features/reading-progress/reading/whereYouWere.css';

/** Loads the member's highlights from this device, if it has some. */
export async function loadHighlights(): Promise<void> {
  const member = currentMember();
  if (member !== null && hasStored() && !areHighlightsOff()) await studyStore.load(member).catch(() => undefined);
}

/** How many titles are shown at once. */
const MOST_TITLES = 3;

interface Props {
  bookId: number;
  member: number;
  sections: readonly BookSection[];
  /** The section of the place. */
  start: number;
  /** When the place was saved, in ms. */
  since: number;
  onGoOn: () => void;
  onStartAgain: () => void;
}

/** Where a member was in a book to which they come back after a while, and what they have read of it. */
export function WhereYouWere({ bookId, member, sections, start, since, onGoOn, onStartAgain }: Props) {
  const name = useId();
  const titles = sections.map(({ title }) => sectionTitle(title));
  const [now] = useState(serverNow);
  // As they are now: what came later would move the text.
  const [highlights] = useState(() => highlightsUpTo(start, bookId, member));
  const first = Math.max(0, start - MOST_TITLES);
  return (
    <section className="where-you-were" aria-labelledby={name}>
      <h3 className="where-you-were__title" id={name}>
        Where you were
      </h3>
      <p>{`You stopped ${longAgo(since, now)} in “${titles[start] ?? ''}”.`}</p>
      <div className="where-you-were__part">
        <h4 className="where-you-were__label">You have read</h4>
        {first > 0 ? (
          <details>
            <summary className="disclosure where-you-were__more">{plural(first, 'idea')} before</summary>
            <Titles titles={titles.slice(0, first)} from={0} />
          </details>
        ) : null}
        <Titles titles={titles.slice(first, start)} from={first} />
      </div>
      {highlights.length > 0 ? (
        <div className="where-you-were__part">
          <h4 className="where-you-were__label">You highlighted</h4>
          <ul className="where-you-were__list">
            {highlights.map(({ id, anchor, color }) => (
              <li key={id}>
                <blockquote className={`where-you-were__words where-you-were__words--${color.value}`}>{anchor?.exact}</blockquote>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <p className="where-you-were__actions">
        <Button kind="primary" onClick={onGoOn}>
          Go on
        </Button>
        <Button kind="quiet" onClick={onStartAgain}>
          Start again
        </Button>
      </p>
    </section>
  );
}

function highlightsUpTo(section: number, bookId: number, member: number) {
  const now = studyStore.snapshot();
  if (now.member !== member || areHighlightsOff()) return [];
  return recalledHighlights(
    highlightsOf(now, { bookId }).map(({ state }) => state),
    section,
  );
}

/** Titles of ideas with their numbers. `from`: the index of the first. */
function Titles({ titles, from }: { titles: readonly string[]; from: number }) {
  return (
    <ol className="where-you-were__list" start={from + 1}>
      {titles.map((title, i) => (
        <li key={from + i} className="where-you-were__idea">
          <span className="where-you-were__number tabular" aria-hidden="true">
            {from + i + 1}
          </span>
          {title}
        </li>
      ))}
    </ol>
  );
}
