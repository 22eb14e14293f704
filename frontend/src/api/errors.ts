/** What a person reads when the server could not be asked or gave no words of its own (member.md §8). */
export const GENERAL_FAILURE = 'There was an error processing your request. Please try again later.';
export const OFFLINE = 'You seem to be offline. Check your connection and try again.';
export const TIMED_OUT = 'The server took too long to answer. Please try again.';

/** A call that failed. `status` 0 means that no answer came: code `network` or `timeout`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** The field of the form that the failure belongs to. */
  readonly field: string | null;
  /** Seconds until it makes sense to try again. */
  readonly retryAfter: number | null;
  /** What the second step of a login is told by, where one is asked for. */
  readonly ticket: string | null;

  constructor(failure: { status: number; code: string; message: string; field?: string | null; retryAfter?: number | null; ticket?: string | null }) {
    super(failure.message);
    this.status = failure.status;
    this.code = failure.code;
    this.field = failure.field ?? null;
    this.retryAfter = failure.retryAfter ?? null;
    this.ticket = failure.ticket ?? null;
  }

  /** Nobody is signed in (any more). */
  get notLoggedIn(): boolean {
    return this.status === 401;
  }
}

/** The text to show for whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof ApiError ? error.message : GENERAL_FAILURE);

/** Whether another attempt can help: the server was not reached, or was too busy, or the session has to be renewed. */
export const isRetryable = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500;

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
