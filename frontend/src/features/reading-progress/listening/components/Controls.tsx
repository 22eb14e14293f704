import { canHighlightHeard, highlightHeard } from '@/features/reading-progress/listening/highlightHeard';
import { currentPlayer, useListening } from '@/shared/listening/listening';
import { SKIP, phaseOf } from '@/features/reading-progress/listening/model';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';

/** The play button, with a spinning ring while the recording buffers. */
export function PlayButton({ large = false }: { large?: boolean }) {
  const wanted = useListening((now) => now?.wanted ?? false);
  const waits = useListening((now) => now !== null && now.wanted && (phaseOf(now) === 'loading' || phaseOf(now) === 'buffering'));
  const label = wanted ? 'Pause' : 'Play';
  return (
    <button
      type="button"
      className={`play-button${large ? ' play-button--large' : ''}${waits ? ' play-button--waits' : ''}`}
      aria-label={label}
      title={`${label} (k)`}
      onClick={() => currentPlayer()?.toggle()}
    >
      <Icon name={wanted ? 'pause' : 'play'} filled={!wanted} />
    </button>
  );
}

/** Skips 15 seconds back or forward. */
export function SkipButton({ by }: { by: -1 | 1 }) {
  const label = by < 0 ? `Back ${SKIP} seconds` : `Forward ${SKIP} seconds`;
  return (
    <button
      type="button"
      className="icon-button skip-button"
      aria-label={label}
      title={`${label} (${by < 0 ? 'j' : 'l'})`}
      onClick={() => currentPlayer()?.skip(by * SKIP)}
    >
      <Icon name={by < 0 ? 'back15' : 'forward15'} />
      <span className="skip-button__seconds" aria-hidden="true">
        {SKIP}
      </span>
    </button>
  );
}

/** Goes to the previous or the next section. */
export function StepButton({ by }: { by: -1 | 1 }) {
  return (
    <IconButton icon={by < 0 ? 'previous' : 'next'} filled label={by < 0 ? 'Previous section' : 'Next section'} onClick={() => currentPlayer()?.step(by)} />
  );
}

/** Keeps the sentence that was just heard; absent where the recording does not say when its sentences are spoken. */
export function HighlightButton() {
  const isShown = useListening(canHighlightHeard);
  return isShown ? (
    <IconButton
      icon="highlighter"
      label="Highlight what you just heard"
      aria-keyshortcuts="B"
      title="Highlight what you just heard (b)"
      onClick={highlightHeard}
    />
  ) : null;
}

export function MuteButton() {
  const muted = useListening((now) => now?.muted ?? false);
  return <IconButton icon={muted ? 'silent' : 'sound'} label="Mute" aria-pressed={muted} title="Mute (m)" onClick={() => currentPlayer()?.toggleMute()} />;
}
