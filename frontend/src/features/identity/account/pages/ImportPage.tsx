import '@/shared/account/account.css';
import '@/features/identity/account/account.css';
import '@/features/identity/account/accountImport.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { queryClient } from '@/api/queryClient';
import { importQuery, isUnderWay, readMemberAgain } from '@/features/identity/account/accountImport';
import type { ImportOverview } from '@/features/identity/account/accountImport';
import { ImportForm } from '@/features/identity/account/components/ImportForm';
import { KeptBooks } from '@/features/identity/account/components/KeptBooks';
import { LastImport } from '@/features/identity/account/components/LastImport';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES } from '@/paths';
import { QueryContent } from '@/shared/account/Section';

export const loader = () => settleBeforeFirstRender(queryClient.query(importQuery()));

/** /account/import: a member brings what they have read and kept elsewhere (identity.account-import). */
export function Component() {
  useTitle(ROUTES.accountImport.title);
  const overview = useQuery(importQuery());
  const hasEnded = useImportEnd(overview.data);
  const { lastImport: last = null, kept = [] } = overview.data ?? {};
  const isWaiting = kept.length > 0;
  const state = useRef<HTMLDivElement>(null);
  useFocusOnceGone(isWaiting, state);
  return (
    <div className="page page--text">
      <h1 className="page__title">{ROUTES.accountImport.title}</h1>
      <p className="page__lead">Bring what you have read and saved from another account. There, open Account and download your archive; then upload it here.</p>
      <p className="account-import__note">
        It adds your places, reading days, library, ratings, highlights, review cards, commitments, lists (as private ones), your own summaries and your
        settings. Where both accounts have the same thing, the newer version stays, so you can import an archive twice. Your plan and payments are not imported.
      </p>
      <ImportForm last={last} />
      {/* Takes the focus when the books that are not here are gone. */}
      <div className="account-import__state" ref={state} tabIndex={-1}>
        <QueryContent query={overview} loading="Loading your last import" rows={1}>
          {({ lastImport }) => <LastImport last={lastImport} hasEnded={hasEnded} isWaiting={isWaiting} />}
        </QueryContent>
      </div>
      {isWaiting ? <KeptBooks books={kept} last={last} /> : null}
    </div>
  );
}

/** Whether the last import has ended since the page was opened. Then the member's data is read again, once for each import. */
function useImportEnd(overview: ImportOverview | undefined): boolean {
  const last = overview?.lastImport;
  const ended = last && !isUnderWay(last) ? last.requestedAt : null;
  /** When the import that had ended at first was requested. */
  const [before, setBefore] = useState<number | null>();
  if (overview && before === undefined) setBefore(ended);
  const end = before === undefined || ended === before ? null : ended;
  useEffect(() => {
    if (end !== null) readMemberAgain();
  }, [end]);
  return end !== null;
}

/** Gives `heir` the focus that was in a section that is gone. */
function useFocusOnceGone(isThere: boolean, heir: RefObject<HTMLElement | null>): void {
  const wasThere = useRef(isThere);
  useLayoutEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (wasThere.current && !isThere && isLost) heir.current?.focus();
    wasThere.current = isThere;
  }, [isThere, heir]);
}
