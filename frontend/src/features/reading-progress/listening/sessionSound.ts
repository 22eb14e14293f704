// Plays parts of several recordings one after the other, without a gap: while one plays, a second audio element has loaded the
// next and stands at its beginning. To the engine they are one recording, whose time goes on from part to part (study.session-audio).
import { createSound } from '@/features/reading-progress/listening/sound';
import type { Sound, SoundEvents, Source, SourcePart } from '@/features/reading-progress/listening/sound';

/** From this many seconds before a part's end its end is timed exactly: an element reports its time a few times a second. */
const NEAR_END = 0.8;

type MakeSound = (element: HTMLAudioElement, events: SoundEvents) => Sound;

/** Where each part begins, in seconds of the whole. */
export const startsOf = (parts: readonly Pick<SourcePart, 'from' | 'to'>[]): number[] => {
  let sum = 0;
  return parts.map(({ from, to }) => {
    const start = sum;
    sum += to - from;
    return start;
  });
};

/** A sound that plays one recording, or the parts of a session. */
export function createSessionSound(first: HTMLAudioElement, events: SoundEvents, make: MakeSound = createSound): Sound {
  let parts: readonly SourcePart[] = [];
  let starts: number[] = [];
  let index = 0;
  let wanted = false;
  let ending: ReturnType<typeof setTimeout> | undefined;
  const settings = { rate: 1, volume: 1, muted: false };
  const eventsOf = (mine: () => Sound | null): SoundEvents => {
    const active = (act: () => void) => () => {
      if (mine() === playing) act();
    };
    return {
      time(at) {
        if (mine() !== playing) return;
        if (parts.length === 0) events.time(at);
        else if (at >= here().to) goOn();
        else {
          events.time(timeOf(at));
          timeEnd();
        }
      },
      playing: active(() => {
        events.playing();
        timeEnd();
      }),
      waiting: active(() => {
        clearTimeout(ending);
        events.waiting();
      }),
      pausedOutside: active(() => {
        wanted = false;
        clearTimeout(ending);
        events.pausedOutside();
      }),
      startedOutside: active(() => {
        wanted = true;
        events.startedOutside();
      }),
      length(seconds) {
        // The length of a session is the sum of its parts'.
        if (mine() === playing && parts.length === 0) events.length(seconds);
      },
      ended: active(() => (parts.length === 0 ? events.ended() : goOn())),
      failed: active(() => events.failed()),
      refused: active(() => events.refused()),
    };
  };
  const one: Sound = make(
    first,
    eventsOf(() => one),
  );
  let other: Sound | null = null;
  let playing = one;

  const here = (): SourcePart => parts[index] ?? { url: '', from: 0, to: 0 };
  const timeOf = (at: number): number => (starts[index] ?? 0) + Math.min(Math.max(at, here().from), here().to) - here().from;

  /** The element that does not play. Made at the first session. */
  const standby = (): Sound => {
    if (playing !== one) return one;
    if (!other) {
      const element = document.createElement('audio');
      element.hidden = true;
      element.preload = 'auto';
      document.body.append(element);
      other = make(
        element,
        eventsOf(() => other),
      );
      apply(other);
    }
    return other;
  };

  const apply = (sound: Sound) => {
    sound.setRate(settings.rate);
    sound.setVolume(settings.volume);
    sound.setMuted(settings.muted);
  };

  /** Loads the next part into the element that does not play. */
  const prepareNext = () => {
    const next = parts[index + 1];
    if (next) standby().load(next, next.from);
  };

  /** Times the end of the part that plays, when it is near. */
  const timeEnd = () => {
    clearTimeout(ending);
    if (!wanted || parts.length === 0) return;
    const left = (here().to - playing.at()) / settings.rate;
    if (left <= NEAR_END) ending = setTimeout(goOn, Math.max(0, left) * 1000);
  };

  /** The part has ended: the next one plays. */
  function goOn(): void {
    clearTimeout(ending);
    const next = standby();
    playing.pause();
    if (index + 1 >= parts.length) {
      wanted = false;
      events.ended();
      return;
    }
    playing = next;
    index += 1;
    if (wanted) playing.play();
    events.time(starts[index] ?? 0);
    prepareNext();
  }

  const begin = (at: number) => {
    index = Math.max(
      0,
      starts.findLastIndex((start) => start <= at),
    );
    const part = here();
    playing.load(part, part.from + at - (starts[index] ?? 0));
    prepareNext();
  };

  return {
    load(source, at) {
      clearTimeout(ending);
      parts = source.parts ?? [];
      starts = startsOf(parts);
      if (parts.length === 0) playing.load(source, at);
      else begin(at);
    },
    swap(source: Source) {
      if (!source.parts) {
        playing.swap(source);
        return;
      }
      parts = source.parts;
      playing.swap(here());
      prepareNext();
    },
    play() {
      wanted = true;
      playing.play();
      timeEnd();
    },
    pause() {
      wanted = false;
      clearTimeout(ending);
      playing.pause();
    },
    at: () => (parts.length === 0 ? playing.at() : timeOf(playing.at())),
    seek(to) {
      clearTimeout(ending);
      if (parts.length === 0) {
        playing.seek(to);
        return;
      }
      const start = starts[index] ?? 0;
      const { from, to: end } = here();
      if (to >= start && to < start + end - from) {
        playing.seek(from + to - start);
        return;
      }
      begin(to);
      if (wanted) playing.play();
    },
    setRate(rate) {
      settings.rate = rate;
      one.setRate(rate);
      other?.setRate(rate);
      timeEnd();
    },
    setVolume(volume) {
      settings.volume = volume;
      one.setVolume(volume);
      other?.setVolume(volume);
    },
    setMuted(muted) {
      settings.muted = muted;
      one.setMuted(muted);
      other?.setMuted(muted);
    },
    unload() {
      wanted = false;
      clearTimeout(ending);
      parts = [];
      starts = [];
      index = 0;
      one.unload();
      other?.unload();
    },
  };
}
