import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/State';

interface Props {
  /** What of a kind that exists is not there, and where the others are. */
  what?: string;
  to?: string;
  label?: string;
}

/** An address with nothing behind it. The server says it in the same words. */
export function NotFound({ what, to, label }: Props) {
  useTitle('Page not found');
  const actions =
    to === undefined ? (
      <>
        <LinkButton to={paths.books}>Browse book summaries</LinkButton>
        <LinkButton kind="quiet" to={paths.front}>
          Front page
        </LinkButton>
      </>
    ) : (
      <LinkButton to={to}>{label}</LinkButton>
    );
  return (
    <div className="page">
      <EmptyState level={1} title="Page not found" actions={actions}>
        <p>{what ?? 'There is nothing at this address. It may have moved, or the link was wrong.'}</p>
      </EmptyState>
    </div>
  );
}
