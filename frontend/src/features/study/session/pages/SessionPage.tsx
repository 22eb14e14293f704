import '@/shared/reader/reader.css';
import '@/features/study/session/session.css';
import { useEffect, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { Session } from '@/features/study/session/components/Session';
import { SessionForm } from '@/features/study/session/components/SessionForm';
import { sessionQuery } from '@/features/study/session/queries';
import { FIRST_REQUEST, checkRequest, requestInAddress, sessionHeading } from '@/features/study/session/request';
import type { SessionRequest } from '@/features/study/session/request';
import { accountQuery } from '@/shared/session/account';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES } from '@/paths';

/** What the URL asks for, if it can be built. */
const readAddress = (params: URLSearchParams) => {
  const typed = requestInAddress(params);
  return typed ? { typed, ...checkRequest(typed) } : { typed };
};

export const loader = ({ request }: LoaderFunctionArgs) => {
  const asked = readAddress(new URL(request.url).searchParams);
  if (!('request' in asked)) return null;
  return settleBeforeFirstRender(queryClient.query(accountQuery()), queryClient.query(sessionQuery(asked.request)));
};

/** The form and the session have one path: after a step from one to the other its heading takes the focus. */
function useFocusOnStep() {
  const { key } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  const [first] = useState(key);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (key !== first && !isBack) root.current?.querySelector('h1')?.focus({ preventScroll: true });
  }, [key, first, isBack]);
  return root;
}

/** /session: the form; with minutes in the URL the session (study.session-page). */
export function Component() {
  const [params] = useSearchParams();
  const location = useLocation();
  const asked = readAddress(params);
  const request = 'request' in asked ? asked.request : null;
  const root = useFocusOnStep();
  useTitle(request ? sessionHeading(request) : ROUTES.session.title);
  // The values of the session that the form is opened from.
  const last = location.state as SessionRequest | null;
  const typed = asked.typed ?? (last ? { minutes: String(last.minutes), topic: last.topic } : FIRST_REQUEST);
  return (
    <div ref={root}>
      {request ? (
        <Session key={`${request.minutes} ${request.topic}`} request={request} />
      ) : (
        <SessionForm key={`${typed.minutes} ${typed.topic}`} typed={typed} errors={'errors' in asked ? asked.errors : {}} />
      )}
    </div>
  );
}
