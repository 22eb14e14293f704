import { loadFailureOf } from '@/api/errors';
import { Button } from '@/ui/Button';
import { Peel } from '@/ui/State';

/** The error state of the list and of the viewer, with the server's message (catalogue.visuals-list). */
export function VisualsError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="state" role="alert">
      <Peel />
      <h2 className="state__title">Oops! Something went wrong</h2>
      <p className="state__text">{loadFailureOf(error)}</p>
      <div className="state__actions">
        <Button onClick={onRetry}>Try again</Button>
      </div>
    </div>
  );
}
