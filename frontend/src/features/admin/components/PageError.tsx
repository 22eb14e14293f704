import { ApiError } from '@/api/errors';
import { AccessPage } from '@/features/admin/components/AccessPage';
import { NotFound } from '@/ui/NotFound';
import { ErrorState } from '@/ui/State';

interface Props {
  error: unknown;
  onRetry: () => void;
  /** Where the others of its kind are, for what is not there. */
  back?: { to: string; label: string; what: string };
  /** Instead of the error's own text. */
  message?: string;
}

/** A page or a list that could not be loaded: no access, not there, or a failure with a retry. */
export function PageError({ error, onRetry, back, message }: Props) {
  if (error instanceof ApiError && error.code === 'forbidden') return <AccessPage />;
  if (error instanceof ApiError && error.status === 404 && back) return <NotFound what={back.what} to={back.to} label={back.label} />;
  return <ErrorState error={error} {...(message !== undefined && { message })} onRetry={onRetry} />;
}
