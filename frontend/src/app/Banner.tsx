import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useMatches } from 'react-router';
import { hintsPaid } from '@/api/hints';
import { useSignedIn } from '@/api/session';
import { site } from '@/lib/site';
import { accountQuery } from '@/shared/session/account';
import { IconButton } from '@/ui/IconButton';

/** Storage key of the dismissal (site.banner-dismissal). */
const KEY = '40off';
const CLOSED = 'close';

function wasClosed(): boolean {
  try {
    return sessionStorage.getItem(KEY) === CLOSED;
  } catch {
    return false;
  }
}

/** The site's promotional offer. Hidden from members with a plan and in a checkout (site.banner-dismissal). */
export function Banner() {
  const signedIn = useSignedIn();
  const [closed, setClosed] = useState(wasClosed);
  const isCheckout = useMatches().some(({ handle }) => (handle as { checkout?: boolean } | undefined)?.checkout);
  // From the cached account where a page has loaded it, otherwise from the cookie.
  const { data: user } = useQuery({ ...accountQuery(), enabled: false });
  const isPaid = signedIn && (user?.isPaid ?? hintsPaid());
  if (!site.banner || closed || isPaid || isCheckout) return null;
  return (
    <aside className="banner" aria-label="Offer">
      <p className="banner__text">
        {site.banner.text}{' '}
        <Link className="banner__link" to={site.banner.href}>
          {site.banner.linkText}
        </Link>
      </p>
      <IconButton
        className="banner__close"
        icon="close"
        label="Dismiss the offer"
        onClick={() => {
          setClosed(true);
          document.documentElement.dataset['banner'] = CLOSED;
          try {
            sessionStorage.setItem(KEY, CLOSED);
          } catch {
            // Without storage the dismissal lasts for this page.
          }
        }}
      />
    </aside>
  );
}
