import { useState } from 'react';
import type { ReactNode } from 'react';
import { SkippedNote } from '@/features/study/session/components/ListenToSession';
import type { SessionIdea } from '@/features/study/session/queries';
import { sessionHeading } from '@/features/study/session/request';
import type { SessionRequest } from '@/features/study/session/request';
import { DisplayOptions } from '@/shared/reader/DisplayOptions';
import { useFontSize } from '@/shared/reader/useFontSize';
import { plural } from '@/lib/format';
import { paths } from '@/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { IconButton } from '@/ui/IconButton';

/** 'About 11 minutes: 5 key ideas from 3 books' */
export function factsOf(ideas: readonly SessionIdea[]): string {
  const minutes = Math.max(1, Math.round(ideas.reduce((sum, { seconds }) => sum + seconds, 0) / 60));
  const books = new Set(ideas.map(({ book }) => book.id)).size;
  return `About ${plural(minutes, 'minute')}: ${plural(ideas.length, 'key idea')} from ${plural(books, 'book')}`;
}

interface Props {
  request: SessionRequest;
  /** Empty until the session is there, and when it has none. */
  ideas: readonly SessionIdea[];
  /** Makes a new session. */
  onStartAgain: () => void;
  /** The button that plays it. */
  children: ReactNode;
}

/** The session's heading, how long it really is, and its controls. */
export function SessionHead({ request, ideas, onStartAgain, children }: Props) {
  const [fontSize, cycleFontSize] = useFontSize();
  const [isOpen, setOpen] = useState(false);
  return (
    <header className="reader__column session__head">
      <h1 className="page__title session__title" tabIndex={-1}>
        {sessionHeading(request)}
      </h1>
      {ideas.length > 0 ? (
        <>
          <p className="session__facts tabular">{factsOf(ideas)}</p>
          <div className="session__actions">
            {children}
            <Button kind="quiet" onClick={onStartAgain}>
              Start again
            </Button>
            <LinkButton kind="quiet" to={paths.session} state={request} aria-label="Change minutes and topic">
              Change
            </LinkButton>
            <span className="session__display">
              <IconButton icon="letter" label={`Font size ${fontSize} of 3`} onClick={cycleFontSize} />
              <IconButton icon="options" label="Options" aria-haspopup="dialog" onClick={() => setOpen(true)} />
            </span>
          </div>
          <SkippedNote ideas={ideas} />
          <Dialog open={isOpen} onClose={() => setOpen(false)} title="Options" side="right">
            <div className="reader-options">
              <DisplayOptions />
            </div>
          </Dialog>
        </>
      ) : null}
    </header>
  );
}
