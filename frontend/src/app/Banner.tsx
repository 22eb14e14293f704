import { useState } from 'react';
import { Link } from 'react-router';
import { hintsPaid } from '@/api/hints';
import { useSignedIn } from '@/api/session';
import { site } from '@/lib/site';
import { IconButton } from '@/ui/IconButton';

/** Where the dismissal is kept, and its value (site.banner-dismissal). */
const KEY = '40off';
const CLOSED = 'close';

function wasClosed(): boolean {
  try {
    return sessionStorage.getItem(KEY) === CLOSED;
  } catch {
    return false;
  }
}

/** The site's offer. A member with a plan sees none (site.banner-dismissal). */
export function Banner() {
  const signedIn = useSignedIn();
  const [closed, setClosed] = useState(wasClosed);
  if (!site.banner || closed || (signedIn && hintsPaid())) return null;
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
            // Without storage it is dismissed on this page only.
          }
        }}
      />
    </aside>
  );
}
