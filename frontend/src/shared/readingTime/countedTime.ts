// When reading time counts (reading-progress.reading-time). Pure functions; times are in ms.

/** How often time is counted. */
export const TICK = 5_000;
/** For how long a page that is not used still counts. */
export const IDLE = 120_000;
/** Of how many days a device keeps its time, and reports it. */
export const KEPT_DAYS = 30;

/** What a page is doing at a tick. */
export interface PageUse {
  now: number;
  /** The full text of a summary is on the page, and the page is visible. */
  isTextShown: boolean;
  /** When the page was used last: scrolled, pressed, typed. */
  usedAt: number;
  /** A recording or a video of a summary plays. */
  isPlaying: boolean;
}

const counts = ({ now, isTextShown, usedAt, isPlaying }: PageUse): boolean => isPlaying || (isTextShown && now - usedAt <= IDLE);

/** `until`, or 0 when it lies so far ahead that it comes from a clock that was set back since. Nothing would count until then. */
const untilOnClock = (until: number, now: number): number => (until > now + 2 * TICK ? 0 : until);

/**
 * The time to count at a tick: that since the tick before, without what another tab has counted until `countedUntil`. After a pause
 * of the machine it is at most two ticks, and none at the tick at which the clock was set back.
 */
export function timeToCount(before: number, countedUntil: number, use: PageUse): number {
  if (!counts(use)) return 0;
  const since = Math.max(before, untilOnClock(countedUntil, use.now), use.now - 2 * TICK);
  return Math.max(0, use.now - since);
}

/** The counted time of a device: ms by day of the member's calendar. */
export interface DeviceTime {
  member: number;
  /**
   * The device as the server knows it, which adds devices up and takes the greatest total of each. It is another one after each
   * logout, because the totals begin at 0 then.
   */
  device: string;
  days: Readonly<Record<string, number>>;
  /** Until when time was counted in any tab. */
  until: number;
  /** The seconds of each day that the server has. */
  sent: Readonly<Record<string, number>>;
}

export const emptyTime = (member: number, device: string): DeviceTime => ({ member, device, days: {}, until: 0, sent: {} });

const seconds = (ms: number): number => Math.floor(ms / 1_000);

/** Adds time to a day; days that are older than `first` are dropped. */
export function withTime(time: DeviceTime, day: string, ms: number, until: number, first: string): DeviceTime {
  const kept = <T>(days: Readonly<Record<string, T>>) => Object.fromEntries(Object.entries(days).filter(([one]) => one >= first));
  const days = kept(time.days);
  return { ...time, days: { ...days, [day]: (days[day] ?? 0) + ms }, until: Math.max(untilOnClock(time.until, until), until), sent: kept(time.sent) };
}

/** The days of which the server does not have all seconds. */
export const unsentDays = (time: DeviceTime): { day: string; seconds: number }[] =>
  Object.entries(time.days)
    .map(([day, ms]) => ({ day, seconds: seconds(ms) }))
    .filter(({ day, seconds }) => seconds > (time.sent[day] ?? 0));

/** Records that the server has these seconds. */
export function withSent(time: DeviceTime, days: readonly { day: string; seconds: number }[]): DeviceTime {
  const sent = { ...time.sent };
  for (const { day, seconds } of days) sent[day] = Math.max(sent[day] ?? 0, seconds);
  return { ...time, sent };
}

/** The seconds of a day. */
export const secondsOn = (time: DeviceTime | null, day: string): number => seconds(time?.days[day] ?? 0);
