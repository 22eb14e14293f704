import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '@/api/client';
import { session } from '@/api/session';
import { currentMember } from '@/shared/session/account';
import { removeDrafts } from '@/shared/offline/drafts';
import { removeRecordDrafts } from '@/shared/offline/recordDrafts';
import { allUnsent, forgetPlaces, unsentChanges } from '@/shared/positions/places';
import { clearSearches } from '@/shared/catalogue/recentSearches';
import { forgetGoal } from '@/shared/goal/goal';
import { unsentDays } from '@/shared/readingTime/countedTime';
import { removeTime, storedTime } from '@/shared/readingTime/timeStorage';
import { clearPreferences, hasStored, hasUnsent } from '@/shared/study/studyFlags';
import { forgetIdeas, unsentIdeas } from '@/shared/study/unsentIdeas';
import { plural } from '@/lib/format';
import { site } from '@/lib/site';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Button, LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/State';

/** How long to wait for offline changes to be sent before asking the member, in milliseconds. */
const PATIENCE = 5000;

const importStudyStore = () => import(/* webpackChunkName: "study-store" */ '@/shared/study/studyStore');

/** Ends the push messages in this browser (study.push-messages). The server ends its part with the session. */
async function unsubscribePush(): Promise<void> {
  const workers = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  const registration = (await workers?.getRegistration()) as { pushManager?: PushManager } | undefined;
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/** Ends the session here at once, and at the server if it can be reached. Removes all of the member's data from this device. */
async function endSession(): Promise<void> {
  const member = currentMember();
  // Not waited for: offline it takes its time.
  unsubscribePush().catch(() => undefined);
  // Sent before the token is removed. Offline it fails, at any time.
  const loggedOut = call('POST /api/user/logout').catch(() => undefined);
  // Before the session ends, which other tabs see: their forms store nothing more.
  removeRecordDrafts(member);
  session.end('left');
  removeDrafts();
  clearSearches();
  forgetPlaces(member);
  forgetIdeas(member);
  clearPreferences();
  removeTime();
  forgetGoal();
  if (member !== null && hasStored()) await (await importStudyStore()).studyStore.removeMember(member);
  await loggedOut;
}

/** How many changes the server does not have yet. */
async function countUnsent(member: number | null): Promise<number> {
  const positions = (member === null ? allUnsent() : unsentChanges(member)).length;
  const study = member !== null && hasStored() ? await (await importStudyStore()).studyStore.unsentCount(member) : 0;
  return positions + study + unsentIdeas(member).length;
}

/** Waits for what is sent, but no longer than {@link PATIENCE}. */
async function withinPatience(sent: Promise<unknown>): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  await Promise.race([sent, late]).catch(() => undefined);
}

/** Sends offline changes; returns how many the server does not have yet. */
async function sendUnsent(): Promise<number> {
  const member = currentMember();
  if ((await countUnsent(member)) === 0) return 0;
  const sent = Promise.all([
    import(/* webpackChunkName: "start-position-sync" */ '@/shared/positions/positionSync').then(({ syncPlaces }) => syncPlaces()),
    hasUnsent() ? import(/* webpackChunkName: "study-sync" */ '@/shared/study/studySync').then(({ syncStudy }) => syncStudy()) : null,
    unsentIdeas(member).length > 0
      ? import(/* webpackChunkName: "send-completed-ideas" */ '@/shared/study/completedIdeas').then(({ sendCompletedIdeas }) => sendCompletedIdeas())
      : null,
  ]);
  await withinPatience(sent);
  return countUnsent(member);
}

let leaving: Promise<number> | null = null;

/** Sends the reading time that was counted since it was sent last. What can't be sent is lost: it is less than a few minutes. */
async function sendReadingTime(): Promise<void> {
  const member = currentMember();
  const time = member === null ? null : storedTime(member);
  if (time === null || unsentDays(time).length === 0) return;
  const sent = import(/* webpackChunkName: "count-reading" */ '@/shared/readingTime/countReading').then(({ sendTime }) => sendTime());
  await withinPatience(sent);
}

/** Logs out, unless changes would be lost: then returns how many. */
async function leave(): Promise<number> {
  const [unsent] = await Promise.all([sendUnsent(), sendReadingTime()]);
  if (unsent === 0) await endSession();
  return unsent;
}

export function Component() {
  useTitle(ROUTES.logout.title);
  const navigate = useNavigate();
  const [unsent, setUnsent] = useState(0);
  useEffect(() => {
    // One logout per visit: React mounts twice in development.
    leaving ??= leave().finally(() => {
      leaving = null;
    });
    let here = true;
    void leaving.then((left) => {
      if (!here) return;
      if (left === 0) void navigate(paths.front, { replace: true });
      else setUnsent(left);
    });
    return () => {
      here = false;
    };
  }, [navigate]);
  if (unsent > 0) {
    return (
      <div className="page" role="alert">
        <EmptyState
          level={1}
          title="Not everything was sent"
          actions={
            <>
              <LinkButton kind="primary" to={paths.home}>
                Stay logged in
              </LinkButton>
              <Button onClick={() => void endSession().then(() => navigate(paths.front, { replace: true }))}>Log out anyway</Button>
            </>
          }
        >
          <p>{`${plural(unsent, 'change')} that you made offline ${unsent === 1 ? 'has' : 'have'} not reached ${site.name} yet. Logging out removes everything of yours from this device, including these.`}</p>
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="page">
      <div className="state">
        <h1 className="state__title" role="status">
          Logging you out.
        </h1>
      </div>
    </div>
  );
}
