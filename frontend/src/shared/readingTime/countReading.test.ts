// Counting in a page, with a server that merges as the real one does: of a device and a day the greatest counts, the devices are added up.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { RequestOf } from '@/api/types';
import { goalQuery, hasGoal, mayHaveGoal, rememberGoal } from '@/shared/goal/goal';
import type { GoalState } from '@/shared/goal/goal';
import { listening } from '@/shared/listening/listening';
import type { Listening } from '@/shared/listening/listening';
import { unsentDays } from '@/shared/readingTime/countedTime';
import { sendTime, startCounting } from '@/shared/readingTime/countReading';
import { removeTime, storedTime } from '@/shared/readingTime/timeStorage';
import { accountQuery } from '@/shared/session/account';
import { addDays, dayOf } from '@/shared/study/days';
import { sampleListening, sampleTrack } from '@test/listening';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

type Report = RequestOf<'PUT /api/user/reading-time'>['body'];

const ADA = 7;
const BEN = 8;

let isVisible = true;
let playing: Listening | null = null;
let member = ADA;
let reports: (Report & { member: number })[] = [];
let tries = 0;
let answer: () => Response | null = () => null;
let today = '2026-11-28';

const stateOf = (more: Partial<GoalState> = {}): GoalState => ({ goal: null, countsTime: true, today, days: [], ...more });

/** The seconds of today that the server has of a member. */
function serverSeconds(of = ADA): number {
  const devices = new Map<string, number>();
  for (const { device, days } of reports.filter((report) => report.member === of)) {
    for (const { day, seconds } of days) if (day === today) devices.set(device, Math.max(devices.get(device) ?? 0, seconds));
  }
  return [...devices.values()].reduce((sum, seconds) => sum + seconds, 0);
}

function login(id: number, timezone = 'UTC') {
  member = id;
  session.start(`token ${id}`);
  queryClient.setQueryData(accountQuery().queryKey, sampleUser({ id, timezone }));
}

/** What the logout page does (features/identity/pages/LogoutPage.tsx). */
async function logOut() {
  await sent();
  session.end('left');
  removeTime();
}

function show(visible: boolean) {
  isVisible = visible;
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Minutes pass; `used`: with a movement each half a minute. */
async function pass(minutes: number, used = true) {
  for (let half = 0; half < minutes * 2; half++) {
    if (used) document.dispatchEvent(new Event('pointermove'));
    await vi.advanceTimersByTimeAsync(30_000);
  }
}

/** Waits until what is to be sent has been sent, also what was counted during a request. */
async function sent() {
  await sendTime();
  await sendTime();
}

const counted = (day = today) => Math.floor((storedTime(ADA)?.days[day] ?? 0) / 1_000);

// Counting goes on for as long as the page is open: each test is a day of its own.
beforeAll(() => {
  vi.useFakeTimers({ now: Date.parse(`${today}T12:00:00Z`), toFake: ['Date', 'setInterval', 'clearInterval'] });
  startCounting();
});
afterAll(() => void vi.useRealTimers());

beforeEach(async () => {
  today = addDays(dayOf(Date.now(), 'UTC'), 1);
  vi.setSystemTime(Date.parse(`${today}T12:00:00Z`));
  document.body.innerHTML = '<section data-reading=""></section>';
  [isVisible, playing, reports, tries, answer] = [true, null, [], 0, () => null];
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => (isVisible ? 'visible' : 'hidden'));
  vi.spyOn(listening, 'now').mockImplementation(() => playing);
  server.use(
    on('PUT /api/user/reading-time', ({ body }) => {
      tries += 1;
      const refusal = answer();
      if (refusal) return refusal;
      reports.push({ ...(body as Report), member });
      return stateOf();
    }),
  );
  login(ADA);
  show(true);
  // The tick that sees the new day.
  document.body.firstElementChild?.removeAttribute('data-reading');
  await vi.advanceTimersByTimeAsync(5_000);
  document.body.firstElementChild?.setAttribute('data-reading', '');
  return logOut;
});

describe('reading time (reading-progress.reading-time)', () => {
  it('counts while a text is shown and used, and two minutes longer', async () => {
    await pass(3);
    expect(counted()).toBe(180);
    await pass(30, false);
    expect(counted()).toBeGreaterThanOrEqual(180 + 85);
    expect(counted()).toBeLessThanOrEqual(180 + 120);
  });

  it('does not count on a hidden page, nor without a text', async () => {
    show(false);
    await pass(5);
    show(true);
    document.body.innerHTML = '';
    await pass(5);
    expect(counted()).toBe(0);
  });

  it('counts what plays on a hidden page, and not what is paused or an episode of the podcast', async () => {
    show(false);
    const recording = (wanted: boolean, more = {}) => {
      const opened = sampleListening(sampleTrack(more), wanted);
      playing = opened && { ...opened, stage: 'ready', waiting: false };
    };
    recording(true);
    await pass(2, false);
    expect(counted()).toBe(120);
    recording(false);
    await pass(2, false);
    recording(true, { bookId: null });
    await pass(2, false);
    expect(counted()).toBe(120);
  });

  it('counts a video that plays', async () => {
    document.body.innerHTML = '<video data-reading=""></video>';
    await pass(1);
    expect(counted()).toBe(0);
    vi.spyOn(document.querySelector('video') as HTMLVideoElement, 'paused', 'get').mockReturnValue(false);
    await pass(1, false);
    expect(counted()).toBe(60);
  });

  it('belongs to the day of the member’s calendar', async () => {
    login(ADA, 'Pacific/Auckland');
    await pass(1);
    expect(counted()).toBe(0);
    expect(counted(addDays(today, 1))).toBe(60);
  });

  it('is neither counted nor sent for a visitor', async () => {
    await logOut();
    await pass(5);
    await sent();
    expect([counted(), tries]).toEqual([0, 0]);
  });
});

describe('sending', () => {
  it('happens every two minutes, and when the page is hidden', async () => {
    await pass(5);
    await sendTime();
    expect(tries).toBeLessThanOrEqual(4);
    await pass(0.5);
    show(false);
    await sent();
    expect(serverSeconds()).toBe(counted());
    expect(queryClient.getQueryData(goalQuery().queryKey)).toEqual(stateOf());
  });

  it('is tried again without a connection, and when there is one again', async () => {
    answer = () => failure(503, 'unavailable', 'No.');
    await pass(4);
    await sendTime();
    expect([serverSeconds(), counted()]).toEqual([0, 240]);
    answer = () => null;
    window.dispatchEvent(new Event('online'));
    await sent();
    expect(serverSeconds()).toBe(240);
  });

  it('of what the server refuses is not repeated, and the total goes with what is counted next', async () => {
    answer = () => failure(422, 'validation_failed', 'No.');
    await pass(1);
    await sent();
    const refused = tries;
    await sent();
    expect(tries).toBe(refused);
    answer = () => null;
    await pass(1);
    await sent();
    expect(serverSeconds()).toBe(120);
  });

  it('that is refused after the logout stores nothing', async () => {
    let refuse: (response: Response) => void = () => undefined;
    server.use(
      on('PUT /api/user/reading-time', () => {
        tries += 1;
        return new Promise<Response>((resolve) => {
          refuse = resolve;
        });
      }),
    );
    await pass(1);
    const late = sendTime();
    await vi.waitFor(() => expect(tries).toBeGreaterThan(0));
    session.end('left');
    removeTime();
    refuse(failure(422, 'validation_failed', 'No.'));
    await late;
    expect(storedTime(ADA)).toBeNull();
  });
});

describe('a session that ends', () => {
  it('takes no time of the day with it: what is counted after the next login is added', async () => {
    await pass(6);
    await logOut();
    expect(storedTime(ADA)).toBeNull();
    login(ADA);
    await pass(4);
    await sent();
    expect(serverSeconds()).toBe(600);
  });

  it('and another member’s in between do not either', async () => {
    await pass(6);
    await sent();
    login(BEN);
    await pass(1);
    await sent();
    login(ADA);
    await pass(2);
    await sent();
    expect([serverSeconds(ADA), serverSeconds(BEN)]).toEqual([480, 60]);
  });

  it('leaves nothing of the member’s choices to the next one', () => {
    rememberGoal(stateOf({ goal: { unit: 'summaries', amount: 1 }, countsTime: false }));
    session.end('ended');
    expect([hasGoal(), mayHaveGoal(), localStorage.getItem('reading-time-off')]).toEqual([false, true, null]);
  });
});

describe('the switch (reading-progress.time-switch)', () => {
  it('ends counting and sending', async () => {
    await pass(1);
    rememberGoal(stateOf({ countsTime: false }));
    const before = tries;
    await pass(5);
    await sent();
    expect([counted(), tries]).toEqual([60, before]);
    expect(unsentDays(storedTime(ADA) ?? expect.unreachable()).length).toBeLessThanOrEqual(1);
    rememberGoal(stateOf());
    await pass(1);
    expect(counted()).toBe(120);
  });
});
