// Counts reading time in this tab, and sends it. A text and a video that count have the attribute `data-reading`.
import { serverNow } from '@/api/clock';
import { call } from '@/api/client';
import { ApiError, isRetryable } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { countsTime, forgetGoal, goalQuery, rememberGoal } from '@/shared/goal/goal';
import { isEpisode, listening } from '@/shared/listening/listening';
import { KEPT_DAYS, TICK, timeToCount, unsentDays, withSent, withTime } from '@/shared/readingTime/countedTime';
import { changeTime, removeTime, storedTime } from '@/shared/readingTime/timeStorage';
import { accountQuery, currentMember } from '@/shared/session/account';
import { addDays, dayOf, deviceZone } from '@/shared/study/days';

/** How long counted time waits until it is sent, in ms. */
const SEND_EVERY = 120_000;

let usedAt = 0;
let tickedAt = 0;
let sentAt = 0;
let sending: Promise<void> | null = null;

const zone = (): string => queryClient.getQueryData(accountQuery().queryKey)?.timezone ?? deviceZone();

/** Whether a recording or a video of a summary plays. */
function isPlaying(): boolean {
  const now = listening.now();
  const isSummary = now !== null && !isEpisode(now.track) && now.track.isAboutBook !== true;
  if (isSummary && now.stage === 'ready' && now.wanted && !now.waiting && !now.ended) return true;
  return [...document.querySelectorAll<HTMLVideoElement>('video[data-reading]')].some(({ paused, ended }) => !paused && !ended);
}

const isTextShown = (): boolean => document.visibilityState === 'visible' && document.querySelector('[data-reading]:not(video)') !== null;

function tick(): void {
  const now = serverNow();
  const before = tickedAt;
  tickedAt = now;
  // The clock may have been set back.
  usedAt = Math.min(usedAt, now);
  const member = currentMember();
  if (member === null || session.token() === null || !countsTime()) return;
  const use = { now, isTextShown: isTextShown(), usedAt, isPlaying: isPlaying() };
  const ms = timeToCount(before, storedTime(member)?.until ?? 0, use);
  if (ms > 0) {
    const day = dayOf(now, zone());
    changeTime(member, (time) => withTime(time, day, ms, now, addDays(day, -KEPT_DAYS)));
  }
  if (now - sentAt >= SEND_EVERY) void sendTime();
}

async function send(member: number): Promise<void> {
  const time = storedTime(member);
  if (time === null) return;
  const { device } = time;
  const days = unsentDays(time);
  if (days.length === 0) return;
  sentAt = serverNow();
  const ends = session.ends();
  const done = () => {
    // After a logout in the meantime, another count has begun.
    if (storedTime(member)?.device === device) changeTime(member, (now) => withSent(now, days));
  };
  try {
    const state = await call('PUT /api/user/reading-time', { body: { device, days }, keepalive: true });
    if (ends !== session.ends()) return;
    done();
    queryClient.setQueryData(goalQuery().queryKey, state);
    rememberGoal(state);
  } catch (error) {
    // What the server refuses would be refused again.
    if (error instanceof ApiError && !isRetryable(error)) done();
  }
}

/** Sends what the server does not have yet. */
export function sendTime(): Promise<void> {
  const member = currentMember();
  if (member === null || session.token() === null || !countsTime()) return Promise.resolve();
  sending ??= send(member).finally(() => {
    sending = null;
  });
  return sending;
}

/** Begins to count, once in a page. */
export function startCounting(): void {
  usedAt = tickedAt = serverNow();
  const use = () => {
    usedAt = serverNow();
  };
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove', 'scroll'] as const) {
    document.addEventListener(event, use, { passive: true, capture: true });
  }
  setInterval(tick, TICK);
  window.addEventListener('online', () => void sendTime());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') {
      tick();
      void sendTime();
    } else {
      tickedAt = serverNow();
      use();
    }
  });
  session.subscribe(() => {
    if (session.token() !== null) return;
    removeTime();
    // What it says would hold for the next member.
    forgetGoal();
  });
  void sendTime();
}
