import { describe, expect, it, vi } from 'vitest';
import { createSound } from '@/features/reading-progress/listening/sound';

/** A fake audio element: the test controls its clock and state, and when it fires the events that follow a call. */
function setUp() {
  const element = document.createElement('audio');
  const is = { paused: true, readyState: 4, seeking: false, currentTime: 0, ended: false };
  for (const name of Object.keys(is) as (keyof typeof is)[]) {
    Object.defineProperty(element, name, { get: () => is[name], set: (value: never) => (is[name] = value) });
  }
  element.play = () => {
    is.paused = false;
    return Promise.resolve();
  };
  element.pause = () => {
    is.paused = true;
  };
  const event = () => vi.fn<() => void>();
  const number = () => vi.fn<(value: number) => void>();
  const events = {
    time: number(),
    length: number(),
    playing: event(),
    waiting: event(),
    pausedOutside: event(),
    startedOutside: event(),
    ended: event(),
    failed: event(),
    refused: event(),
  };
  const sound = createSound(element, events);
  return { sound, is, events, fire: (name: string) => element.dispatchEvent(new Event(name)) };
}

describe('who started or paused the recording', () => {
  it('a `play` event that arrives after the pause does not start it again', () => {
    const { sound, events, fire } = setUp();
    sound.play();
    sound.pause();
    fire('play');
    fire('pause');
    expect(events.startedOutside).not.toHaveBeenCalled();
    expect(events.pausedOutside).not.toHaveBeenCalled();
  });

  it('a `pause` event that arrives after the next play does not pause it again', () => {
    const { sound, events, fire } = setUp();
    sound.play();
    fire('play');
    sound.pause();
    sound.play();
    fire('pause');
    fire('play');
    expect(events.pausedOutside).not.toHaveBeenCalled();
    expect(events.startedOutside).not.toHaveBeenCalled();
  });

  it('the system that pauses and starts it is followed', () => {
    const { sound, is, events, fire } = setUp();
    sound.play();
    is.paused = true;
    fire('pause');
    expect(events.pausedOutside).toHaveBeenCalledOnce();
    sound.pause();
    is.paused = false;
    fire('play');
    expect(events.startedOutside).toHaveBeenCalledOnce();
  });

  it('the end of the recording is not a pause', () => {
    const { sound, is, events, fire } = setUp();
    sound.play();
    Object.assign(is, { paused: true, ended: true });
    fire('pause');
    expect(events.pausedOutside).not.toHaveBeenCalled();
  });
});

describe('the clock', () => {
  it('does not move during a seek', () => {
    const { sound, is, events, fire } = setUp();
    sound.seek(30);
    is.seeking = true;
    fire('timeupdate');
    expect(events.time).not.toHaveBeenCalled();
    is.seeking = false;
    fire('timeupdate');
    expect(events.time).toHaveBeenCalledExactlyOnceWith(30);
  });

  it('begins where the recording was to begin, once its length is known', () => {
    const { sound, is, events, fire } = setUp();
    is.readyState = 0;
    sound.load({ url: '/media/one.wav' }, 12);
    expect(sound.at()).toBe(12);
    fire('timeupdate');
    expect(events.time).not.toHaveBeenCalled();
    fire('loadedmetadata');
    expect(is.currentTime).toBe(12);
    fire('timeupdate');
    expect(events.time).toHaveBeenCalledExactlyOnceWith(12);
  });
});
