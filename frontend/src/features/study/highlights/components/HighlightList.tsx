import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { Highlight } from '@/shared/study/records';
import type { StudyRecord } from '@/shared/study/studyStorage';
import { HighlightEntry } from '@/features/study/highlights/components/HighlightEntry';
import { firstOf, groupBySource } from '@/features/study/highlights/filterHighlights';
import { sourcePath } from '@/features/study/highlights/places';
import { hueClass } from '@/lib/hue';
import { LoadMore } from '@/ui/LoadMore';

/** How many highlights are shown at first, and more at each press. */
const PART = 100;

/** How many were shown, by history entry: going back to the list shows as many. */
const shownIn = new Map<string, number>();

interface Props {
  /** The key of the history entry. */
  entry: string;
  /** The latest first. */
  highlights: readonly StudyRecord<Highlight>[];
  onEdit: (highlight: Highlight) => void;
  onShare: (highlight: Highlight) => void;
  onDelete: (highlight: Highlight) => void;
}

/** Highlights by source, the source with the latest first. */
export function HighlightList({ entry, highlights, onEdit, onShare, onDelete }: Props) {
  const [shown, setShown] = useState(() => shownIn.get(entry) ?? PART);
  useEffect(() => {
    // Paper has no button for more.
    const showAll = () => flushSync(() => setShown(Infinity));
    window.addEventListener('beforeprint', showAll);
    return () => window.removeEventListener('beforeprint', showAll);
  }, []);
  const more = {
    hasNextPage: shown < highlights.length,
    isFetchingNextPage: false,
    isFetchNextPageError: false,
    error: null,
    fetchNextPage: () => {
      shownIn.set(entry, shown + PART);
      setShown(shown + PART);
      return Promise.resolve();
    },
  };
  return (
    <>
      {firstOf(groupBySource(highlights), shown).map(({ key, latest, highlights: ofSource }) => (
        <section key={key} className="highlights__source" aria-label={latest.title}>
          <SourceHead source={latest} />
          <ul className="highlights__list">
            {ofSource.map((record) => (
              <HighlightEntry
                key={record.id}
                record={record}
                onEdit={() => onEdit(record.state)}
                onShare={() => onShare(record.state)}
                onDelete={() => onDelete(record.state)}
              />
            ))}
          </ul>
        </section>
      ))}
      <LoadMore list={more} remaining={highlights.length - shown}>
        Show more
      </LoadMore>
    </>
  );
}

/** The source of highlights: a tile in the hue of its category, title and author. */
function SourceHead({ source }: { source: Highlight }) {
  const path = sourcePath(source);
  return (
    <div className="highlights__source-head">
      <span className={`highlights__tile ${source.hue === null ? '' : hueClass(source.hue)}`} aria-hidden="true">
        {Array.from(source.title.trim())[0]?.toUpperCase()}
      </span>
      <div className="highlights__source-text">
        <h2 className="highlights__source-title">
          {path === null ? (
            source.title
          ) : (
            <Link className="highlights__source-link" to={path}>
              {source.title}
            </Link>
          )}
        </h2>
        {source.author === '' ? null : <p className="highlights__author">{source.author}</p>}
      </div>
    </div>
  );
}
