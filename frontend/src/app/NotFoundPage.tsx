import { useTitle } from '@/lib/useTitle';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/State';

export function NotFoundPage() {
  useTitle('Page not found');
  return (
    <div className="page">
      <EmptyState
        level={1}
        title="There is no page here"
        actions={
          <>
            <LinkButton to={paths.books}>Browse book summaries</LinkButton>
            <LinkButton kind="quiet" to={paths.front}>
              Front page
            </LinkButton>
          </>
        }
      >
        <p>The address may be mistyped, or what it led to has moved.</p>
      </EmptyState>
    </div>
  );
}
