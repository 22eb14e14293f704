import { useTitle } from '@/lib/useTitle';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/State';

/** An address of a kind that exists, with nothing behind it. */
export function NotHere({ what, to, label }: { what: string; to: string; label: string }) {
  useTitle('Page not found');
  return (
    <div className="page">
      <EmptyState level={1} title="Page not found" actions={<LinkButton to={to}>{label}</LinkButton>}>
        <p>{what}</p>
      </EmptyState>
    </div>
  );
}
