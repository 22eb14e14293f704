import { ApiError } from '@/api/errors';
import { AccessPage } from '@/features/admin/components/AccessPage';
import { NotFound } from '@/ui/NotFound';
import { ErrorState } from '@/ui/State';

interface Props {
  error: unknown;
  onRetry: () => void;
  /** For a record that was not found: the list of its kind. */
  back?: { to: string; label: string; what: string };
  /** Replaces the error's own text. */
  message?: string;
}

/** Shown when a page or list could not be loaded: no access, not found, or an error with a retry. */
export function PageError({ error, onRetry, back, message }: Props) {
  if (error instanceof ApiError && error.code === 'forbidden') return <AccessPage />;
  if (error instanceof ApiError && error.status === 404 && back) return <NotFound what={back.what} to={back.to} label={back.label} />;
  return <ErrorState error={error} {...(message !== undefined && { message })} onRetry={onRetry} />;
}
