import { useState } from 'react';
import { useLocation } from 'react-router';
import { currentPlayer, isEpisode, useListening } from '@/shared/listening/listening';
import type { Track } from '@/shared/listening/listening';
import { useNextBooks } from '@/shared/catalogue/useNextBooks';
import type { NextBook } from '@/shared/catalogue/useNextBooks';
import { HighlightButton, MuteButton, PlayButton, SkipButton } from '@/features/reading-progress/listening/components/Controls';
import { OFFLINE_WAIT, PlayerError, playerErrorText } from '@/features/reading-progress/listening/components/PlayerError';
import { PlayerPanel } from '@/features/reading-progress/listening/components/PlayerPanel';
import { Scrubber } from '@/features/reading-progress/listening/components/Scrubber';
import { SpeedButton } from '@/features/reading-progress/listening/components/SpeedButton';
import { SleepTimer } from '@/features/reading-progress/listening/components/SleepTimer';
import { PlayerAnnouncer } from '@/features/reading-progress/listening/components/PlayerAnnouncer';
import { chapterAt, heardPart } from '@/features/reading-progress/listening/model';
import { hueClass } from '@/lib/hue';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';
import '@/features/reading-progress/listening/player.css';

/** Closes the player. The focus moves to the page's listen button, or else to its heading. */
function close() {
  const [button] = [...document.querySelectorAll<HTMLElement>('[data-listen]')].slice(-1);
  const target = button ?? document.querySelector<HTMLElement>('main h1');
  if (!button && target) target.tabIndex = -1;
  target?.focus({ preventScroll: true });
  currentPlayer()?.close();
}

/** The recommended next book when a recording has ended: books with a recording come first. */
function useNextBook(track: Track | null, ended: boolean): NextBook | null {
  const next = useNextBooks(track?.bookId ?? 0, ended && track !== null && track.bookId !== null && track.member !== null);
  if (next === null || next === 'failed') return null;
  return next.books.find(({ book, locked }) => book.hasMedia && !locked) ?? next.books[0] ?? null;
}

/** The player at the bottom of every page, while a recording is open. */
export default function PlayerBar() {
  const track = useListening((now) => now?.track ?? null);
  const failure = useListening((now) => now?.failure ?? null);
  const offline = useListening((now) => now?.offline ?? false);
  const section = useListening((now) => now?.chapters[chapterAt(now.chapters, now.at)]?.title ?? '');
  const part = useListening(heardPart);
  const share = useListening((now) => (now && now.seconds > 0 ? Math.round((now.at / now.seconds) * 1000) / 1000 : 0));
  const [openAt, setOpenAt] = useState<string | null>(null);
  // A navigation closes the panel, which would cover the new page.
  const { pathname } = useLocation();
  if (openAt !== null && openAt !== pathname) setOpenAt(null);
  const open = openAt === pathname;
  const ended = useListening((now) => now !== null && now.ended && !now.wanted);
  const next = useNextBook(track, ended);
  if (!track) return null;
  const image = part?.image ?? track.image;
  const status = failure
    ? playerErrorText(failure)
    : offline
      ? OFFLINE_WAIT
      : ended
        ? next
          ? `Next: ${next.book.title}`
          : 'The recording has ended'
        : [section, part?.bookTitle].filter(Boolean).join(' · ') || track.author;
  return (
    <section className={`player ${hueClass(track.hue)}`} aria-label="Audio player">
      <span className="player__line" aria-hidden="true">
        <span className="player__line-fill" style={{ transform: `scaleX(${share})` }} />
      </span>
      <div className="player__inner">
        <button type="button" className="player__what" aria-haspopup="dialog" onClick={() => setOpenAt(pathname)}>
          <span className="visually-hidden">Open the player: </span>
          <span className={isEpisode(track) ? 'player__cover player__cover--square' : 'player__cover'}>
            {image ? <img src={image} alt="" width="600" height="900" /> : null}
          </span>
          <span className="player__text">
            <span className="player__title">{track.title}</span>
            <span className="player__section">{status}</span>
          </span>
          <Icon name="chevronUp" />
        </button>
        {failure ? (
          <div className="player__error">
            <PlayerError failure={failure} />
          </div>
        ) : (
          <>
            <div className="player__controls">
              <SkipButton by={-1} />
              <PlayButton />
              <SkipButton by={1} />
            </div>
            <Scrubber />
            <div className="player__more">
              <SpeedButton />
              <SleepTimer />
              <MuteButton />
              <HighlightButton />
            </div>
          </>
        )}
        <IconButton className="player__close" icon="close" label="Close the player" onClick={close} />
      </div>
      <PlayerPanel open={open} onClose={() => setOpenAt(null)} track={track} next={next} />
      {/* Live regions outside of an open dialog are not announced: the panel has its own. */}
      {open ? null : <PlayerAnnouncer />}
    </section>
  );
}
