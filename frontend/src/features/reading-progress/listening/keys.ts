// The player's keyboard shortcuts, on every page: space and k play and pause, j and l skip 15 seconds back
// and forward (with shift a paragraph), < and > play slower and faster, m mutes, b highlights what was just heard. A focused control that uses the key has
// priority.
import type { Player } from '@/shared/listening/listening';
import { highlightHeard } from '@/features/reading-progress/listening/highlightHeard';
import { SKIP } from '@/features/reading-progress/listening/model';

/** Controls that accept text. A slider is an input too, but only uses arrow keys. */
const TYPING = 'textarea, select, [contenteditable]:not([contenteditable="false"]), input:not([type="range"])';
/** Controls that the space bar activates. */
const PRESSED = 'button, a[href], summary, label, video, audio, input, [role="button"], [role="tab"], [role="option"]';

/** The player command for a key; null when the key belongs to something else. */
export function commandOf(event: KeyboardEvent): ((player: Player) => void) | null {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(TYPING) || target?.closest('video')) return null;
  // Not while a dialog is open, except the player's own.
  if (document.querySelector('dialog[open]:not(.player-panel)')) return null;
  if (event.key === ' ') {
    if (event.shiftKey || event.repeat || (target?.matches('input[type="range"]') !== true && target?.closest(PRESSED))) return null;
    return (player) => player.toggle();
  }
  const { shiftKey } = event;
  switch (event.key.toLowerCase()) {
    case 'k':
      return shiftKey || event.repeat ? null : (player) => player.toggle();
    case 'j':
      return shiftKey ? (player) => player.step(-1, 'paragraph') : (player) => player.skip(-SKIP);
    case 'l':
      return shiftKey ? (player) => player.step(1, 'paragraph') : (player) => player.skip(SKIP);
    case '<':
      return (player) => player.stepSpeed(-1);
    case '>':
      return (player) => player.stepSpeed(1);
    case 'm':
      return shiftKey || event.repeat ? null : (player) => player.toggleMute();
    case 'b':
      return shiftKey || event.repeat ? null : highlightHeard;
    default:
      return null;
  }
}
