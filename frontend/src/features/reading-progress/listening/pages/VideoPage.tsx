import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { LoaderFunctionArgs } from 'react-router';
import { Link, Navigate, useParams } from 'react-router';
import { call } from '@/api/client';
import { ApiError, isNotFound } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { videoQuery } from '@/features/reading-progress/listening/queries';
import type { Video } from '@/features/reading-progress/listening/queries';
import { SpeedChoices } from '@/features/reading-progress/listening/components/SpeedChoices';
import { isTrailer } from '@/features/reading-progress/listening/trailer';
import { places, speed } from '@/features/reading-progress/listening/playerStorage';
import { withErrorMessage } from '@/lib/errorMessage';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { hueClass } from '@/lib/hue';
import { useTitle } from '@/lib/useTitle';
import { loginFor, paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { SkeletonText } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/State';
import '@/features/reading-progress/listening/video.css';

/** The page's texts (catalogue.video-page). */
const NO_VIDEO = 'No video available yet for this book.';
const UPGRADE = 'Please upgrade to see the full video content for this summary.';
const BROKEN = 'The video could not be played.';

/** A position within this many seconds of the end restarts the video. */
const OVER = 5;
/** Interval of saves, in seconds of the video. */
const STEP = 5;

export function loader({ params }: LoaderFunctionArgs) {
  return settleBeforeFirstRender(queryClient.query(videoQuery(params['id'] ?? '')));
}

export function Component() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(videoQuery(id));
  useTitle(data ? `${data.book.title}: video` : 'Video');
  if (data) return <VideoOf video={data} renew={async () => (await refetch()).data ?? null} />;
  if (isNotFound(error)) throw error;
  if (error instanceof ApiError && error.status === 401) return <Navigate to={loginFor(paths.video(id))} replace />;
  // Without the required plan: redirects to the plans with a message (catalogue.video-page).
  if (error instanceof ApiError && error.status === 403) return <Navigate to={paths.try} state={withErrorMessage(UPGRADE, paths.video(id))} replace />;
  if (error) {
    return (
      <div className="page">
        <ErrorState level={1} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  return (
    <div className="page video-page" role="status">
      <span className="visually-hidden">Loading the video</span>
      <div className="video-page__head" aria-hidden="true">
        <SkeletonText width={45} />
      </div>
      <span className="video-page__frame skeleton" aria-hidden="true" />
    </div>
  );
}

function VideoOf({ video, renew }: { video: Video; renew: () => Promise<Video | null> }) {
  const { book } = video;
  const [length, setLength] = useState(video.seconds ?? null);
  return (
    <article className={`page video-page ${hueClass(book.categories[0]?.hue ?? 60)}`}>
      <Link className="link link--more" to={paths.book(book.subid)}>
        <Icon name="arrowLeft" />
        Back to the summary
      </Link>
      <header className="video-page__head">
        <h1 className="page__title">{book.title}</h1>
        <p className="video-page__author">
          {`by ${book.author}`}
          {video.url && isTrailer(length, book.minutes) ? <span className="badge video-page__kind">Trailer</span> : null}
        </p>
      </header>
      {video.url ? (
        <Film key={book.subid} video={video} url={video.url} renew={renew} onLength={setLength} />
      ) : (
        <EmptyState title={NO_VIDEO} actions={<LinkButton to={paths.book(book.subid)}>Read the summary</LinkButton>}>
          You can still read{book.hasMedia ? ' or listen to' : ''} the summary.
        </EmptyState>
      )}
      <p className="page__lead">{book.description}</p>
    </article>
  );
}

/** The video resumes at the position stored in this browser; its start is recorded in the history. */
function Film({ video, url, renew, onLength }: { video: Video; url: string; renew: () => Promise<Video | null>; onLength: (seconds: number) => void }) {
  const { book, poster, captions } = video;
  const element = useRef<HTMLVideoElement>(null);
  const [address, setAddress] = useState({ url, captions });
  const [broken, setBroken] = useState(false);
  const logged = useRef(false);
  const kept = useRef(0);
  const resume = useRef<{ at: number; play: boolean }>({ at: places.get('video', book.subid) ?? 0, play: false });
  const renewals = useRef(0);
  const [rate, setRate] = useState(speed.get);

  const onPlay = () => {
    if (logged.current || session.token() === null) return;
    logged.current = true;
    call('POST /api/user-book-history/{id}', { path: { id: String(book.id) } }).catch((error: unknown) => {
      // eslint-disable-next-line no-console -- reading-progress.quiet-failures: video and history failures are logged
      console.warn('The start of the video was not logged.', error);
    });
  };
  const onTime = () => {
    const at = element.current?.currentTime ?? 0;
    if (Math.abs(at - kept.current) < STEP) return;
    renewals.current = 0;
    kept.current = at;
    places.set('video', book.subid, at);
  };
  const onReady = () => {
    const film = element.current;
    if (!film) return;
    film.playbackRate = rate;
    if (Number.isFinite(film.duration)) onLength(film.duration);
    const { at, play } = resume.current;
    if (at > 0 && at < film.duration - OVER) film.currentTime = at;
    if (play) void film.play().catch(() => undefined);
  };
  // A presigned URL expires after some hours: a new one resumes at the same time.
  const onError = async () => {
    const film = element.current;
    if (!film || renewals.current > 1) {
      setBroken(true);
      return;
    }
    renewals.current += 1;
    resume.current = { at: film.currentTime || resume.current.at, play: !film.paused };
    const got = await renew();
    if (got?.url && got.url !== address.url) setAddress({ url: got.url, captions: got.captions });
    else setBroken(true);
  };

  if (broken) {
    return (
      <div className="video-page__frame video-page__frame--broken">
        <ErrorState
          message={BROKEN}
          onRetry={() => {
            renewals.current = 0;
            void renew().then((got) => {
              if (!got?.url) return;
              setAddress({ url: got.url, captions: got.captions });
              setBroken(false);
            });
          }}
        />
      </div>
    );
  }
  return (
    <>
      <video
        ref={element}
        className="video-page__frame"
        // It counts as reading time (shared/readingTime).
        data-reading=""
        controls
        playsInline
        preload="metadata"
        aria-label={`Video: ${book.title}`}
        src={address.url}
        {...(poster && { poster })}
        onPlay={onPlay}
        onTimeUpdate={onTime}
        onPause={() => places.set('video', book.subid, element.current?.currentTime ?? 0)}
        onEnded={() => places.set('video', book.subid, 0)}
        onLoadedMetadata={onReady}
        onError={() => void onError()}
      >
        <track kind="captions" srcLang="en" label="English" default {...(address.captions && { src: address.captions })} />
      </video>
      <SpeedChoices
        rate={rate}
        onChoose={(chosen) => {
          setRate(chosen);
          speed.set(chosen);
          if (element.current) element.current.playbackRate = chosen;
        }}
      />
    </>
  );
}
