/** The message for when the server can't be reached or sends no message of its own (api.client-timeouts). */
export const GENERAL_FAILURE = 'There was an error processing your request. Please try again later.';
/** The same for a list, the challenge or a code (admin.network-failure, challenge.network-failure). */
export const NETWORK_FAILURE = 'There was an error processing your request.';
/** Shown only when the browser reports that the device is offline. */
export const OFFLINE = 'You seem to be offline. Check your connection and try again.';
export const TIMED_OUT = 'The server took too long to answer. Please try again.';
/** Error code of a response that does not have the promised form (admin.unexpected-response). */
export const UNEXPECTED_RESPONSE = 'unexpected_response';

/** A failed call. `status` 0 means that there was no response; the code is then `network` or `timeout`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** The form field that the error belongs to; null: the whole form. */
  readonly field: string | null;
  /** Seconds until a retry makes sense (`Retry-After`); null when the server does not say. */
  readonly retryAfter: number | null;
  /** The ticket of a login that requires a second factor; null otherwise. */
  readonly ticket: string | null;

  constructor(failure: {
    status: number;
    code: string;
    message: string;
    field?: string | null;
    retryAfter?: number | null;
    ticket?: string | null;
    cause?: unknown;
  }) {
    super(failure.message, { cause: failure.cause });
    this.status = failure.status;
    this.code = failure.code;
    this.field = failure.field ?? null;
    this.retryAfter = failure.retryAfter ?? null;
    this.ticket = failure.ticket ?? null;
  }

  /** The session has ended, or there was none. */
  get notLoggedIn(): boolean {
    return this.status === 401;
  }
}

/** The message to show for a thrown value. */
export const messageOf = (error: unknown): string => (error instanceof ApiError ? error.message : GENERAL_FAILURE);

/** The message for a failed load: the server's, or {@link NETWORK_FAILURE} when it was not reached. */
export const loadFailureOf = (error: unknown): string => (isUnreached(error) ? NETWORK_FAILURE : messageOf(error));

/** For forms that show errors verbatim: the server's text, or the browser's exception message (support.raw-failure). */
export const rawMessageOf = (error: unknown): string => {
  const thrown = error instanceof ApiError ? error.cause : error;
  return thrown instanceof Error && thrown.message !== '' ? thrown.message : messageOf(error);
};

/** Whether a retry can help: the server was not reached or was too busy, or the session has to be renewed. */
export const isRetryable = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500;

/** The server was not reached. */
export const isUnreached = (error: unknown): boolean => error instanceof ApiError && error.status === 0;

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
