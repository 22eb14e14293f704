import { Link } from 'react-router';
import { chooseFollow, useFollow } from '@/shared/listening/followAlong';
import { currentPlayer, isEpisode, useListening } from '@/shared/listening/listening';
import type { Track } from '@/shared/listening/listening';
import { NextBook } from '@/shared/catalogue/NextBook';
import type { NextBook as Next } from '@/shared/catalogue/useNextBooks';
import { HighlightButton, MuteButton, PlayButton, SkipButton, StepButton } from '@/features/reading-progress/listening/components/Controls';
import { OFFLINE_WAIT, PlayerError } from '@/features/reading-progress/listening/components/PlayerError';
import { Scrubber } from '@/features/reading-progress/listening/components/Scrubber';
import { SpeedChoices } from '@/features/reading-progress/listening/components/SpeedChoices';
import { SpeedButton } from '@/features/reading-progress/listening/components/SpeedButton';
import { SleepTimer } from '@/features/reading-progress/listening/components/SleepTimer';
import { PlayerAnnouncer } from '@/features/reading-progress/listening/components/PlayerAnnouncer';
import { chapterAt, chapterEnd, heardPart } from '@/features/reading-progress/listening/model';
import { sectionTitle } from '@/lib/sections';
import { formatClock } from '@/lib/format';
import { paths } from '@/paths';
import { Dialog } from '@/ui/Dialog';

interface Props {
  open: boolean;
  onClose: () => void;
  track: Track;
  /** The recommended next book, when the recording has ended. */
  next: Next | null;
}

/** The page of what plays. */
const pageOf = (track: Track): string => track.page ?? (isEpisode(track) ? paths.podcast(track.subid) : paths.book(track.subid));

/** The full player: a panel on the right, a bottom sheet on phones. */
export function PlayerPanel({ open, onClose, track, next }: Props) {
  const failure = useListening((now) => now?.failure ?? null);
  const offline = useListening((now) => now?.offline ?? false);
  const follows = useFollow();
  const hasSections = useListening((now) => (now?.chapters.length ?? 0) > 0);
  const marked = useListening((now) => (now?.marks.length ?? 0) > 0);
  const part = useListening(heardPart);
  const image = part?.image ?? track.image;
  return (
    <Dialog open={open} onClose={onClose} title="Listening" side="right" className="player-panel player-sheet">
      <div className="player-sheet__what">
        <div className={`player-sheet__cover book-card__cover${isEpisode(track) ? ' player-sheet__cover--square' : ''}`}>
          {image ? <img className="book-card__image" src={image} alt="" width="600" height="900" /> : null}
        </div>
        <p className="player-sheet__title">
          <Link to={pageOf(track)} onClick={onClose}>
            {track.title}
          </Link>
        </p>
        <p className="player-sheet__author">{part ? `${part.bookTitle} by ${part.author}` : track.author}</p>
      </div>
      {failure ? (
        <PlayerError failure={failure} />
      ) : (
        <>
          {next ? (
            <div className="player-sheet__next">
              <NextBook next={next} onLeave={onClose} />
            </div>
          ) : (
            <CurrentSection />
          )}
          <Scrubber times="below" />
          {offline ? <p className="player-sheet__offline">{OFFLINE_WAIT}</p> : null}
          <div className="player-sheet__controls">
            {hasSections ? <StepButton by={-1} /> : null}
            <SkipButton by={-1} />
            <PlayButton large />
            <SkipButton by={1} />
            {hasSections ? <StepButton by={1} /> : null}
          </div>
          <div className="player-sheet__more">
            <SpeedButton />
            <SleepTimer />
            <MuteButton />
            <HighlightButton />
          </div>
          <Speeds />
          {marked ? (
            <label className="switch player-sheet__follow">
              <input className="switch__input" type="checkbox" checked={follows} onChange={(event) => chooseFollow(event.target.checked)} />
              Follow along in the text
            </label>
          ) : null}
          <Chapters title={track.parts ? 'Ideas' : 'Sections'} />
        </>
      )}
      <PlayerAnnouncer />
    </Dialog>
  );
}

function Speeds() {
  const rate = useListening((now) => now?.rate ?? 1);
  return <SpeedChoices rate={rate} onChoose={(chosen) => currentPlayer()?.setSpeed(chosen)} />;
}

function CurrentSection() {
  const title = useListening((now) => now?.chapters[chapterAt(now.chapters, now.at)]?.title ?? '');
  return <p className="player-sheet__section">{title}</p>;
}

/** The sections and their lengths. */
function Chapters({ title }: { title: string }) {
  const chapters = useListening((now) => now?.chapters ?? null);
  const seconds = useListening((now) => now?.seconds ?? 0);
  const current = useListening((now) => (now ? chapterAt(now.chapters, now.at) : -1));
  if (!chapters || chapters.length === 0) return null;
  return (
    <section className="player-sheet__chapters" aria-labelledby="player-chapters">
      <h3 className="player-sheet__heading" id="player-chapters">
        {title}
      </h3>
      <ol className="player-chapters">
        {chapters.map((chapter, i) => (
          <li key={chapter.section}>
            <button
              type="button"
              className="player-chapters__item"
              aria-current={i === current ? 'true' : undefined}
              aria-disabled={chapter.at === null || undefined}
              onClick={() => {
                if (chapter.at === null) return;
                currentPlayer()?.seek(chapter.at);
                currentPlayer()?.play();
              }}
            >
              <span className="player-chapters__number tabular">{i + 1}</span>
              <span>{sectionTitle(chapter.title)}</span>
              {chapter.at === null ? null : (
                <span className="player-chapters__length tabular">{formatClock(chapterEnd(chapters, i, seconds) - chapter.at)}</span>
              )}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
