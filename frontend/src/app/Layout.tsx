import { Outlet, ScrollRestoration, useMatches, useNavigation } from 'react-router';
import { useSignedIn } from '@/api/session';
import { Announcer } from '@/app/Announcer';
import { BottomNav } from '@/app/BottomNav';
import { Banner } from '@/app/Banner';
import { Footer } from '@/app/Footer';
import { Header } from '@/app/Header';
import { OfflineNotice } from '@/app/OfflineNotice';
import { PlayerHost } from '@/app/PlayerHost';
import { Search } from '@/app/Search';
import { Toaster } from '@/ui/toast';

/**
 * Header and footer around every page but a book-detail one, which has the screen to itself (site.page-frame). The first page of
 * a tab has no key of its own: its URL stands in for one.
 */
export function Layout() {
  const bare = useMatches().some(({ handle }) => (handle as { bare?: boolean } | undefined)?.bare);
  const signedIn = useSignedIn();
  const busy = useNavigation().state === 'loading';
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      {busy ? <div className="pending" aria-hidden="true" /> : null}
      {bare ? null : (
        <>
          <Banner />
          <Header />
        </>
      )}
      <OfflineNotice />
      <main id="main" className="main" tabIndex={-1}>
        <Outlet />
      </main>
      {bare ? null : <Footer />}
      {signedIn && !bare ? <BottomNav /> : null}
      <PlayerHost />
      <Search />
      <Toaster />
      <Announcer />
      <ScrollRestoration getKey={({ key, pathname, search }) => (key === 'default' ? pathname + search : key)} />
    </>
  );
}
