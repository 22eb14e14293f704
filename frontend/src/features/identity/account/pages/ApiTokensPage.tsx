import '@/shared/account/account.css';
import '@/features/identity/account/account.css';
import '@/features/identity/account/apiTokens.css';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { queryClient } from '@/api/queryClient';
import { apiTokensQuery } from '@/features/identity/account/apiTokens';
import { ApiTokenItem } from '@/features/identity/account/components/ApiTokenItem';
import { NewApiToken } from '@/features/identity/account/components/NewApiToken';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { site } from '@/lib/site';
import { useTitle } from '@/lib/useTitle';
import { ROUTES } from '@/paths';
import { QueryContent, Section } from '@/shared/account/Section';

export const loader = () => settleBeforeFirstRender(queryClient.query(apiTokensQuery()));

function Use({ title, note, text }: { title: string; note: string; text: string }) {
  return (
    <div className="api-tokens__use">
      <h3 className="setting__label">{title}</h3>
      <p className="setting__note">{note}</p>
      <pre className="api-tokens__example">
        <code>{text}</code>
      </pre>
    </div>
  );
}

/** /api-tokens: the tokens by which a member's own programs call the API (identity.api-tokens). */
export function Component() {
  useTitle(ROUTES.apiTokens.title);
  const tokens = useQuery(apiTokensQuery());
  const list = useRef<HTMLDivElement>(null);
  const origin = site.publicUrl.replace(/\/$/, '') || window.location.origin;
  return (
    <div className="page page--text">
      <h1 className="page__title">{ROUTES.apiTokens.title}</h1>
      <p className="page__lead">With a token, a program of your own or an e-reader works with what you read and keep, without your password.</p>
      <Section id="new-token" title="New token" lead="It works until you delete it, or choose a new password.">
        <NewApiToken />
      </Section>
      <Section id="tokens" title="Your tokens">
        {/* Takes the focus when a token is deleted. */}
        <div className="api-tokens__list" ref={list} tabIndex={-1}>
          <QueryContent query={tokens} loading="Loading your tokens" rows={1}>
            {(all) =>
              all.length === 0 ? (
                <p className="setting__note">You have no tokens.</p>
              ) : (
                <ul className="account__list" aria-label="Your tokens">
                  {all.map((token) => (
                    <ApiTokenItem key={token.id} token={token} onGone={() => list.current?.focus()} />
                  ))}
                </ul>
              )
            }
          </QueryContent>
        </div>
      </Section>
      <Section id="use" title="Where to use it">
        <Use title="In a program" note="The cards that are due today:" text={`curl -H "Authorization: Bearer pat_…" ${origin}/api/study/today`} />
        <Use
          title="As a catalog of an e-reader program (OPDS)"
          note="With your email address as the user name, and the token as the password:"
          text={`${origin}/opds`}
        />
        <Use title="As the progress sync server of KOReader" note="With any user name, and the token as the password:" text={`${origin}/koreader`} />
      </Section>
    </div>
  );
}
