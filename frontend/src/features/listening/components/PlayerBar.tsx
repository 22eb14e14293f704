import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { MuteButton, PlayButton, SkipButton, SpeedButton } from '@/features/listening/components/Controls';
import { PlayerPanel } from '@/features/listening/components/PlayerPanel';
import { Scrubber } from '@/features/listening/components/Scrubber';
import { SleepTimer } from '@/features/listening/components/SleepTimer';
import { OFFLINE_WAIT, Trouble, troubleText } from '@/features/listening/components/Trouble';
import { chapterAt, phaseOf } from '@/features/listening/model';
import type { Phase } from '@/features/listening/model';
import { plural } from '@/lib/format';
import { hueClass } from '@/lib/hue';
import { currentPlayer, listening, useListening } from '@/lib/listening';
import type { Listening } from '@/lib/listening';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';
import '@/features/listening/player.css';

/** The player at the bottom of every page, as long as something is in it. */
export default function PlayerBar() {
  const track = useListening((now) => now?.track ?? null);
  const failure = useListening((now) => now?.failure ?? null);
  const offline = useListening((now) => now?.offline ?? false);
  const section = useListening((now) => now?.chapters[chapterAt(now.chapters, now.at)]?.title ?? '');
  const share = useListening((now) => (now && now.seconds > 0 ? Math.round((now.at / now.seconds) * 1000) / 1000 : 0));
  const [openAt, setOpenAt] = useState<string | null>(null);
  // A navigation closes the panel: the page that was asked for is under it.
  const { pathname } = useLocation();
  if (!track) return null;
  return (
    <section className={`player ${hueClass(track.hue)}`} aria-label="Audio player">
      <span className="player__line" aria-hidden="true">
        <span className="player__line-fill" style={{ transform: `scaleX(${share})` }} />
      </span>
      <div className="player__inner">
        <button type="button" className="player__what" aria-haspopup="dialog" onClick={() => setOpenAt(pathname)}>
          <span className="visually-hidden">Open the player: </span>
          <span className="player__cover">{track.image ? <img src={track.image} alt="" width="600" height="900" /> : null}</span>
          <span className="player__text">
            <span className="player__title">{track.title}</span>
            <span className="player__section">{failure ? troubleText[failure] : offline ? OFFLINE_WAIT : section || track.author}</span>
          </span>
          <Icon name="chevronUp" />
        </button>
        {failure ? (
          <div className="player__trouble">
            <Trouble failure={failure} />
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
            </div>
          </>
        )}
        <IconButton className="player__close" icon="close" label="Close the player" onClick={() => currentPlayer()?.close()} />
      </div>
      <PlayerPanel open={openAt === pathname} onClose={() => setOpenAt(null)} track={track} />
      <Spoken />
    </section>
  );
}

const said: Record<Phase, string> = { loading: '', playing: 'Playing', paused: 'Paused', stopped: 'The recording has ended', buffering: 'Buffering', failed: '' };

/** What changed, in a few words. */
function news(before: Listening | null, now: Listening): string | null {
  if (now.failure) return now.failure === before?.failure ? null : troubleText[now.failure];
  if (now.offline && !before?.offline) return OFFLINE_WAIT;
  if (!before) return null;
  if (before.rate !== now.rate) return `Speed ${now.rate}×`;
  if (before.muted !== now.muted) return now.muted ? 'Muted' : 'Sound on';
  const { sleep } = now;
  if (before.sleep?.kind !== sleep?.kind || (sleep?.kind === 'minutes' && before.sleep?.kind === 'minutes' && sleep.minutes !== before.sleep.minutes)) {
    if (!sleep) return now.wanted ? 'Sleep timer off' : 'Sleep timer: stopped';
    return sleep.kind === 'section' ? 'Sleep timer: end of the section' : `Sleep timer: ${plural(sleep.minutes, 'minute')}`;
  }
  const [was, is] = [phaseOf(before), phaseOf(now)];
  return was === is ? null : said[is];
}

/** Reads out what a key, the system or the network has done to the player: a press on a button is heard by its label. */
function Spoken() {
  const [text, setText] = useState('');
  useEffect(() => {
    let last = listening.now();
    return listening.subscribe(() => {
      const now = listening.now();
      const heard = now && news(last, now);
      last = now;
      if (heard) setText(heard);
    });
  }, []);
  return (
    <div className="visually-hidden" role="status">
      {text}
    </div>
  );
}
