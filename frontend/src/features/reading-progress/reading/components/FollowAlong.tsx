import { useEffect, useEffectEvent, useState } from 'react';
import { useFollow } from '@/shared/listening/followAlong';
import { currentPlayer, useListening } from '@/shared/listening/listening';
import { BLOCKS, lastBegun, markOf } from '@/shared/listening/marks';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import '@/features/reading-progress/reading/follow.css';

interface Props {
  bookId: number;
  /** The section that is shown. */
  index: number;
  /** Called when the recording has reached another section. */
  onTurn: (section: number) => void;
}

/** Keys that scroll. */
const SCROLLS = new Set(['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown']);
/** Pixels to keep free above and below the spoken paragraph. */
const ABOVE = 84;
const BELOW = 72;

const textOf = () => document.querySelector('.reader__section .reader__text');
const blocks = () => [...(textOf()?.querySelectorAll<HTMLElement>(BLOCKS) ?? [])];

/**
 * Makes the text follow the recording: highlights the spoken paragraph and scrolls to it, turns sections with it, and plays
 * from a pressed paragraph. Scrolling or turning by hand pauses following until the member resumes it.
 */
export default function FollowAlong({ bookId, index, onTurn }: Props) {
  const follows = useFollow();
  const marks = useListening((now) => (now?.track.bookId === bookId ? now.marks : null));
  const spoken = useListening((now) => (now?.track.bookId === bookId && !now.ended ? (now.marks[lastBegun(now.marks, now.at)] ?? null) : null));
  const plays = useListening((now) => now?.track.bookId === bookId && now.wanted);
  const section = spoken?.section ?? null;
  // When a book is opened while another of its sections plays, following starts only on request.
  const [apart, setApart] = useState(() => plays && section !== null && section !== index);
  const [shown, setShown] = useState(index);
  const active = follows && marks !== null && marks.length > 0;

  // The reader turned by hand.
  if (shown !== index) {
    setShown(index);
    if (plays && section !== index) setApart(true);
  }
  // Paused in the section that is shown: following resumes when playback does.
  if (apart && !plays && section === index) setApart(false);

  const turn = useEffectEvent(onTurn);
  useEffect(() => {
    if (active && plays && !apart && section !== null && section !== index) turn(section);
  }, [active, plays, apart, section, index]);

  // The highlight is a class on the text's own elements, which React does not manage.
  useEffect(() => {
    if (!active || !spoken || spoken.section !== index) return;
    const element = spoken.paragraph === null ? document.querySelector<HTMLElement>('.reader__title') : blocks()[spoken.paragraph];
    if (!element) return;
    element.classList.add('reader__spoken');
    if (plays && !apart) scrollToElement(element);
    return () => element.classList.remove('reader__spoken');
  }, [active, spoken, index, apart, plays]);

  // Pauses following when the reader scrolls by hand.
  useEffect(() => {
    if (!active || !plays) return;
    const controller = new AbortController();
    const { signal } = controller;
    const leave = () => setApart(true);
    window.addEventListener('wheel', leave, { passive: true, signal });
    window.addEventListener('touchmove', (event) => (event.target instanceof Element && event.target.closest('.book') ? leave() : undefined), {
      passive: true,
      signal,
    });
    window.addEventListener(
      'keydown',
      (event) => (SCROLLS.has(event.key) && event.target instanceof Element && !event.target.closest('input, dialog') ? leave() : undefined),
      { signal },
    );
    // A press on the page's scroll bar.
    window.addEventListener('pointerdown', (event) => (event.target === document.documentElement ? leave() : undefined), { signal });
    return () => controller.abort();
  }, [active, plays]);

  const playFrom = useEffectEvent((pressed: Element) => {
    const all = blocks();
    for (let one = pressed.closest<HTMLElement>(BLOCKS); one; one = one.parentElement?.closest<HTMLElement>(BLOCKS) ?? null) {
      const at = all.indexOf(one);
      const mark = at < 0 || !marks ? null : markOf(marks, index, at);
      if (!mark) continue;
      setApart(false);
      currentPlayer()?.seek(mark.at);
      currentPlayer()?.play();
      return;
    }
  });
  useEffect(() => {
    const text = textOf();
    if (!active || !text) return;
    const press = (event: Event) => {
      const target = event.target instanceof Element ? event.target : null;
      if (!target || target.closest('a, button') || window.getSelection()?.isCollapsed === false) return;
      playFrom(target);
    };
    text.classList.add('reader__text--follows');
    text.addEventListener('click', press);
    return () => {
      text.classList.remove('reader__text--follows');
      text.removeEventListener('click', press);
    };
  }, [active, index]);

  if (!active || !plays || !apart) return null;
  return (
    <div className="follow">
      <Button className="follow__button" onClick={() => setApart(false)}>
        <Icon name="headphones" />
        Follow along
      </Button>
    </div>
  );
}

/** Scrolls an element into view, smoothly, if it is not visible. */
function scrollToElement(element: HTMLElement): void {
  const { top, bottom } = element.getBoundingClientRect();
  const floor = window.innerHeight - BELOW - Number.parseFloat(getComputedStyle(document.body).paddingBottom || '0');
  // A long paragraph need not be completely visible.
  if (top >= ABOVE && (bottom <= floor || top < window.innerHeight * 0.4)) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollBy({ top: top - window.innerHeight * 0.28, behavior: calm ? 'instant' : 'smooth' });
}
