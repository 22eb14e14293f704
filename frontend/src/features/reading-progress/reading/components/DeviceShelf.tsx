import { useState } from 'react';
import type { RefObject } from 'react';
import { useKeptBooks } from '@/shared/offline/useKeptBooks';
import { formatBytes, plural } from '@/lib/format';
import { paths } from '@/paths';
import { AddToListButton } from '@/shared/study/lists/AddToListButton';
import { BookCard } from '@/ui/BookCard';
import { Button, LinkButton } from '@/ui/Button';
import { SkeletonBooks } from '@/ui/Skeleton';
import { EmptyState } from '@/ui/State';

const copies = () => import(/* webpackChunkName: "offline-copies" */ '@/shared/offline/offlineCopies');

/** The summaries and recordings on this device, with buttons to remove them. `title` takes the focus of a removed button. */
export function DeviceShelf({ title }: { title: RefObject<HTMLHeadingElement | null> }) {
  const kept = useKeptBooks();
  const [failed, setFailed] = useState(false);
  if (!kept) {
    return (
      <div className="library__books">
        <SkeletonBooks count={5} label="Loading what is on this device" />
      </div>
    );
  }
  if (kept.length === 0) {
    return (
      <EmptyState
        title="Nothing on this device yet"
        actions={
          <LinkButton kind="primary" to={paths.books}>
            Browse summaries
          </LinkButton>
        }
      >
        <p>Every summary you open is kept here for reading offline. To keep its recording too, use the reader’s options.</p>
      </EmptyState>
    );
  }
  const act = (work: Promise<void>) => {
    setFailed(false);
    work.then(
      () => title.current?.focus(),
      () => setFailed(true),
    );
  };
  const recordings = kept.flatMap(({ recording }) => (recording === null ? [] : [recording]));
  return (
    <section className="library__books" aria-label="On this device">
      <h2 className="visually-hidden">On this device</h2>
      <p className="library__device">
        {`${plural(kept.length, 'summary', 'summaries')} to read offline`}
        {recordings.length > 0 ? `, ${plural(recordings.length, 'recording')} of ${formatBytes(recordings.reduce((sum, bytes) => sum + bytes, 0))}` : ''}.
        Logging out removes all of it.
      </p>
      {failed ? (
        <p className="removal-error" role="alert">
          That could not be removed. Please try again.
        </p>
      ) : null}
      <ul className="book-grid">
        {kept.map(({ id, book, recording }, i) => (
          <li key={id}>
            <BookCard book={book} eager={i < 5}>
              <div className="library__kept">
                {recording === null ? null : (
                  <Button
                    kind="quiet"
                    onClick={() => act(copies().then(({ removeRecording }) => removeRecording(id)))}
                    aria-label={`Remove the recording of ${book.title} from this device`}
                  >
                    {`Remove recording (${formatBytes(recording)})`}
                  </Button>
                )}
                <Button
                  kind="quiet"
                  onClick={() => act(copies().then(({ removeBook }) => removeBook(id)))}
                  aria-label={`Remove ${book.title} from this device`}
                >
                  Remove
                </Button>
                <AddToListButton book={book} kind="quiet" aria-label={`Add to list: ${book.title}`} />
              </div>
            </BookCard>
          </li>
        ))}
      </ul>
    </section>
  );
}
