import { useMatches } from 'react-router';
import { useSignedIn } from '@/api/session';
import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/State';

/** A route whose screen is not there yet. Says so, and links back. */
export function Component() {
  const matches = useMatches();
  const title = (matches.at(-1)?.handle as { title?: string } | undefined)?.title ?? 'Coming soon';
  const signedIn = useSignedIn();
  useTitle(title);
  return (
    <div className="page">
      <EmptyState
        level={1}
        title={title}
        actions={
          <>
            <LinkButton to={paths.books}>Browse book summaries</LinkButton>
            {signedIn ? (
              <LinkButton kind="quiet" to={paths.home}>
                My Home
              </LinkButton>
            ) : null}
          </>
        }
      >
        <p>This page is coming soon. The summaries are here already.</p>
      </EmptyState>
    </div>
  );
}
