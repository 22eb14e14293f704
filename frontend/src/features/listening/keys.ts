// The keyboard's part of the player, wherever one is on the page: space and k play and pause, j and l go 15 seconds back
// and on (with shift by a paragraph), m mutes. Whatever else a key belongs to comes first.
import type { Player } from '@/domain/listening';
import { SKIP } from '@/features/listening/model';

/** What takes letters. A slider is an input too, but takes arrows only. */
const TYPING = 'textarea, select, [contenteditable]:not([contenteditable="false"]), input:not([type="range"])';
/** What a space presses, opens or plays. */
const PRESSED = 'button, a[href], summary, label, video, audio, input, [role="button"], [role="tab"], [role="option"]';

/** What a key does with the player; null when it belongs to something else. */
export function actOf(event: KeyboardEvent): ((player: Player) => void) | null {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(TYPING) || target?.closest('video')) return null;
  // A dialog has the keyboard to itself, but the player's own.
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
    case 'm':
      return shiftKey || event.repeat ? null : (player) => player.toggleMute();
    default:
      return null;
  }
}
