import { useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { NavigationType, useNavigationType } from 'react-router';
import { IdeaView } from '@/features/study/session/components/IdeaView';
import { ListenToSession } from '@/features/study/session/components/ListenToSession';
import { SessionEnd } from '@/features/study/session/components/SessionEnd';
import { SessionHead } from '@/features/study/session/components/SessionHead';
import { NoIdeas, SessionSkeleton } from '@/features/study/session/components/SessionStates';
import { completedOf } from '@/features/study/session/queries';
import type { SessionRequest } from '@/features/study/session/request';
import { trackOf } from '@/features/study/session/sessionTrack';
import { useHeardIdea } from '@/features/study/session/useHeardIdea';
import { useSession } from '@/features/study/session/useSession';
import { completeIdea } from '@/shared/study/completedIdeas';
import { Alert } from '@/ui/Alert';
import { ProgressBar } from '@/ui/ProgressBar';
import { ErrorState } from '@/ui/State';

/** Scrolls to an idea of the session, or to what follows the last one, and focuses its heading. */
function goToStep(root: HTMLElement | null, index: number): void {
  const step = root?.querySelectorAll('.session__step')[index];
  step?.querySelector('h2')?.focus({ preventScroll: true });
  step?.scrollIntoView({ block: 'start', behavior: 'instant' });
}

/** The session of a request: key ideas of several books on one page (study.session-page). */
export function Session({ request }: { request: SessionRequest }) {
  const { member, isPaid, session, ideas, isDone, isOver, error, retry, renew } = useSession(request);
  const root = useRef<HTMLDivElement>(null);
  const [arrivals, setArrivals] = useState(0);
  const track = useMemo(() => (member === null ? null : trackOf(ideas, request, member)), [ideas, request, member]);
  const { heard, plays } = useHeardIdea(root, track, ideas);

  const complete = (index: number) => {
    const idea = ideas[index];
    if (idea && member !== null && !isDone(idea)) completeIdea(member, completedOf(idea));
  };
  const goOn = (index: number) => {
    // At once: what follows the last idea comes with its completion.
    flushSync(() => complete(index));
    goToStep(root.current, index + 1);
    setArrivals((now) => now + 1);
  };
  const startAgain = () => {
    renew();
    window.scrollTo({ top: 0 });
    // The focus would be lost with the button.
    root.current?.querySelector('h1')?.focus({ preventScroll: true });
  };
  // A link to a session that is over asks for another one; the browser's Back does not.
  const isLink = useNavigationType() !== NavigationType.Pop;
  const renewOver = useEffectEvent(() => {
    if (isLink && isOver) renew();
  });
  useLayoutEffect(() => renewOver(), []);

  const total = ideas.length;
  const done = ideas.filter(isDone);
  const current = ideas.findIndex((idea) => !isDone(idea));
  const last = ideas.at(-1);
  return (
    <div className="book session">
      <div className="reader" ref={root}>
        <div className="reader__progress">
          {total > 0 ? (
            <ProgressBar
              label="Session progress"
              value={done.length}
              max={total}
              text={current < 0 ? `All ${total} ideas done` : `Idea ${current + 1} of ${total}`}
            />
          ) : null}
        </div>
        <SessionHead request={request} ideas={ideas} onStartAgain={startAgain}>
          {track ? <ListenToSession {...{ track, plays }} /> : null}
        </SessionHead>
        {session?.isNear && total > 0 ? (
          <div className="reader__column session__notice">
            <Alert>{`No summary is about “${request.topic}”. These ideas are near it.`}</Alert>
          </div>
        ) : null}
        {ideas.map((idea, index) => (
          <IdeaView
            key={`${idea.book.id} ${idea.section}`}
            {...{ idea, index, total, arrivals }}
            isDone={isDone(idea)}
            heard={index !== heard ? null : plays ? 'Playing' : 'Paused'}
            isRead={!plays}
            onRead={() => complete(index)}
            onGoOn={() => goOn(index)}
          />
        ))}
        {last && isDone(last) ? <SessionEnd {...{ request, total, done }} /> : null}
        {total > 0 ? null : (
          <div className="reader__column">
            {error ? <ErrorState error={error} onRetry={retry} /> : session ? <NoIdeas request={request} isPaid={isPaid} /> : <SessionSkeleton />}
          </div>
        )}
      </div>
    </div>
  );
}
