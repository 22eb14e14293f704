/** The messages for when the server can't be reached or sends none of its own (api.client-timeouts). */
export const GENERAL_FAILURE = 'There was an error processing your request. Please try again later.';
/** A list, the challenge or a code whose call had no text of the server's (admin.network-failure, challenge.network-failure). */
export const NETWORK_FAILURE = 'There was an error processing your request.';
/** Shown only when the browser says that the device is offline. */
export const OFFLINE = 'You seem to be offline. Check your connection and try again.';
export const TIMED_OUT = 'The server took too long to answer. Please try again.';
/** A response that is not what the call promises (admin.unexpected-response). */
export const UNEXPECTED_RESPONSE = 'unexpected_response';

/** A call that failed. `status` 0 means that there was no response: code `network` or `timeout`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** The field of the form that the failure belongs to. */
  readonly field: string | null;
  /** Seconds until it makes sense to try again. */
  readonly retryAfter: number | null;
  /** Identifies the login whose second factor is required. */
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

  /** The session is over, or there was none. */
  get notLoggedIn(): boolean {
    return this.status === 401;
  }
}

/** The message to show for a thrown value. */
export const messageOf = (error: unknown): string => (error instanceof ApiError ? error.message : GENERAL_FAILURE);

/** The message for what could not be loaded: the server's, or the one of a network failure. */
export const loadFailureOf = (error: unknown): string => (isUnreached(error) ? NETWORK_FAILURE : messageOf(error));

/** The message for a form whose failures are shown as they are: the server's text, or the browser's own exception (support.raw-failure). */
export const rawMessageOf = (error: unknown): string => {
  const thrown = error instanceof ApiError ? error.cause : error;
  return thrown instanceof Error && thrown.message !== '' ? thrown.message : messageOf(error);
};

/** Whether another attempt can help: the server was not reached, or was too busy, or the session has to be renewed. */
export const isRetryable = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500;

/** The server was not reached. */
export const isUnreached = (error: unknown): boolean => error instanceof ApiError && error.status === 0;

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
