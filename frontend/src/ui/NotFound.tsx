import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/State';

interface Props {
  /** What was not found, with the link to the list of its kind. */
  what?: string;
  to?: string;
  label?: string;
}

/** The page of an unknown URL. The server renders the same text. */
export function NotFound({ what, to, label }: Props) {
  useTitle('Page not found');
  const actions =
    to === undefined ? (
      <>
        <LinkButton to={paths.books}>Browse book summaries</LinkButton>
        <LinkButton kind="quiet" to={paths.front}>
          Home page
        </LinkButton>
      </>
    ) : (
      <LinkButton to={to}>{label}</LinkButton>
    );
  return (
    <div className="page">
      <EmptyState level={1} title="Page not found" actions={actions}>
        <p>{what ?? 'There is nothing at this address. The page may have moved, or the link may be wrong.'}</p>
      </EmptyState>
    </div>
  );
}
