import { useLayoutEffect } from 'react';
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
 * Header and footer around every page, except book pages, which are full-screen, and the back office, which has its own layout
 * (site.page-frame). A tab's first history entry has no key, so its URL is used as the key.
 */
export function Layout() {
  const matches = useMatches();
  const has = (mark: 'bare' | 'office') => matches.some(({ handle }) => (handle as Partial<Record<typeof mark, boolean>> | undefined)?.[mark]);
  const office = has('office');
  const bare = has('bare') || office;
  // The server's markup includes header and footer for the back office too; CSS hides them until the app has rendered (head.ts).
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-office', office);
  }, [office]);
  const signedIn = useSignedIn();
  const busy = useNavigation().state === 'loading';
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
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
      {office ? null : <Search />}
      <Toaster />
      <Announcer />
      <ScrollRestoration getKey={({ key, pathname, search }) => (key === 'default' ? pathname + search : key)} />
    </>
  );
}
