import { useEffect, useState } from 'react';
import { listening } from '@/shared/listening/listening';
import type { Listening } from '@/shared/listening/listening';
import { OFFLINE_WAIT, playerErrorText } from '@/features/reading-progress/listening/components/PlayerError';
import { phaseOf } from '@/features/reading-progress/listening/model';
import type { Phase } from '@/features/reading-progress/listening/model';
import { plural } from '@/lib/format';

const said: Record<Phase, string> = {
  loading: '',
  playing: 'Playing',
  paused: 'Paused',
  stopped: 'The recording has ended',
  buffering: 'Buffering',
  failed: '',
};

/** The change between two states in a few words; null when there is nothing to announce. */
function news(before: Listening | null, now: Listening): string | null {
  if (now.failure) return now.failure === before?.failure ? null : playerErrorText(now.failure);
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

/** Announces changes of the player that a key, the system or the network caused; a pressed button announces itself. */
export function PlayerAnnouncer() {
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
