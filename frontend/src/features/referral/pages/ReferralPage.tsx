import { useEffect } from 'react';
import { useNavigate, useParams } from 'react-router';
import { call } from '@/api/client';
import { storeReferralId } from '@/shared/referral/referralId';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';

/** Delay before the page redirects, in milliseconds (referral.link-capture). */
export const REDIRECT_DELAY = 10;

/** Counts a click; the request outlives the page. A failure only loses one count, so it is ignored. */
const countClick = (id: string) => call('POST /api/referral/click/{id}', { path: { id }, keepalive: true }).catch(() => undefined);

/** /r/{id}: stores the referral id, counts the click, and redirects to the front page (referral.link-capture). */
export function Component() {
  useTitle(ROUTES.referral.title);
  const { id = '' } = useParams();
  const navigate = useNavigate();
  useEffect(() => {
    storeReferralId(id);
    void countClick(id);
    const timer = setTimeout(() => void navigate(paths.front, { replace: true }), REDIRECT_DELAY);
    return () => clearTimeout(timer);
  }, [id, navigate]);
  return (
    <div className="page page--text">
      <h1 className="page__title" role="status">
        Redirecting you.
      </h1>
    </div>
  );
}
