// The API client: timeout, access token, one shared token refresh, typed errors.
// It shows no message and never navigates; its callers do.
import { recordServerTime } from '@/api/clock';
import { ApiError, GENERAL_FAILURE, OFFLINE, TIMED_OUT, UNEXPECTED_RESPONSE } from '@/api/errors';
import { reportReach } from '@/api/reach';
import { session } from '@/api/session';
import type { CallName, RequestOf, ResultOf, SignedIn } from '@/api/types';

/** Timeout of a request, in milliseconds. */
export const TIME_OUT = 15_000;
/** Timeout of a request for a file, in milliseconds: longer, because the server builds the file first. */
const FILE_TIME_OUT = 120_000;
/** Timeout of a request with an idempotency key, in milliseconds: longer, because the server waits for a payment provider or a summary. */
const PAYMENT_TIME_OUT = 60_000;

/** A downloaded file and the name from its `Content-Disposition`. */
export interface FileResponse {
  blob: Blob;
  name: string;
}

interface CallOptions {
  signal?: AbortSignal;
  /** The request outlives the page (as for analytics events). */
  keepalive?: boolean;
  /** A token for this call only, instead of the session's (identity.single-use-token). */
  bearer?: string;
  /** Sent as `Idempotency-Key`: the server carries out repeated requests with the same key once (billing.idempotency-key). */
  idempotencyKey?: string;
  /** Retry with `Retry-After` while the server still renders the file and answers `busy`. */
  waitsForDrawing?: boolean;
}
type Args<Name extends CallName> =
  RequestOf<Name> extends { path: unknown } | { body: unknown } ? [RequestOf<Name> & CallOptions] : [(RequestOf<Name> & CallOptions)?];

/**
 * Calls that need no session: when a token can't be refreshed, they are sent without one (api.unauthenticated-answer). A test
 * compares this list with the server's OpenAPI description.
 */
export const PUBLIC: ReadonlySet<string> = new Set<CallName>([
  'POST /api/apple/oauth/callback',
  'GET /api/authors',
  'GET /api/authors/{slug}',
  'GET /api/blog',
  'GET /api/blog/{slug}',
  'GET /api/books',
  'GET /api/books/list',
  'GET /api/books/{id}',
  'GET /api/books/{id}/audio',
  'GET /api/books/{id}/file',
  'GET /api/books/{id}/idea-links',
  'GET /api/books/{id}/podcast',
  'GET /api/books/{id}/video',
  'GET /api/categories',
  'GET /api/charge/checkout/{reference}',
  'POST /api/charge/confirm',
  'POST /api/charge/coupon',
  'POST /api/charge/price',
  'POST /api/charge/process/{planId}',
  'POST /api/charge/sandbox/authenticate',
  'GET /api/charge/receipt/{receipt}',
  'GET /api/charge/receipt/{receipt}/pdf',
  'GET /api/charge/settings',
  'GET /api/collections',
  'GET /api/collections/{id}',
  'POST /api/contact',
  'POST /api/events',
  'POST /api/feedback/send',
  'GET /api/front',
  'POST /api/gifts/find',
  'GET /api/goals',
  'GET /api/google/login/oauth',
  'GET /api/google/login/oauth/callback',
  'GET /api/idea-map',
  'GET /api/idea-map/{category}',
  'GET /api/infographics',
  'GET /api/infographics/download',
  'GET /api/insight',
  'GET /api/lists/{slug}',
  'GET /api/onboarding',
  'GET /api/onboarding/books',
  'GET /api/pages/{slug}',
  'POST /api/paypal',
  'POST /api/paypal/order',
  'POST /api/paypal/webhook',
  'GET /api/podcasts',
  'GET /api/podcasts/{slug}',
  'GET /api/product-pages/{slug}',
  'GET /api/quiz/{kind}',
  'GET /api/quiz/{kind}/picture',
  'POST /api/quiz/{kind}/results',
  'POST /api/referral/click/{id}',
  'GET /api/search',
  'GET /api/setup',
  'POST /api/setup',
  'POST /api/setup/mail-test',
  'POST /api/stripe/webhook',
  'POST /api/user/archive/download',
  'POST /api/user/confirm-email',
  'PUT /api/user/forgot-password',
  'POST /api/user/login',
  'POST /api/user/login-code',
  'POST /api/user/login-link',
  'POST /api/user/login-link/session',
  'POST /api/user/logout',
  'POST /api/user/passkey-login',
  'POST /api/user/passkey-login/options',
  'POST /api/user/refresh-token',
  'POST /api/user/register',
  'PUT /api/user/reset-password',
  'POST /api/user/second-factor',
  'POST /api/user/subscription-code-register',
  'POST /api/user/ten-day-challenge',
  'GET /api/visuals',
  'GET /api/visuals/book/{id}',
  'GET /api/{name}/oauth',
  'GET /api/{name}/oauth/callback',
  'POST /unsubscribe/{token}',
]);

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

interface Request {
  method: string;
  url: string;
  body: string | undefined;
  signal: AbortSignal | undefined;
  keepalive: boolean;
  idempotencyKey: string | undefined;
  waitsForDrawing: boolean;
}

type Scalar = string | number | boolean | null | undefined;

/** A query string with sorted keys, so that equal queries have equal URLs; empty and false values are left out. */
export function queryString(query: object | undefined): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries((query ?? {}) as Record<string, Scalar>).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (value !== undefined && value !== null && value !== '' && value !== false) params.set(key, String(value));
  }
  return params.toString();
}

/** Copies of a member's responses on this device, keyed by URL: the call's path with its query. */
export interface ResponseCopies {
  /** Called after each response. `ends` is `session.ends()` at the time of the request. */
  store: (name: CallName, url: string, result: unknown, ends: number) => void;
  /** Called when the server can't be reached. Undefined: there is no copy. */
  find: (name: CallName, url: string) => Promise<unknown>;
}

let copies: ResponseCopies | null = null;

/** Sets the store of response copies; the client itself stores nothing. */
export const setResponseCopies = (stored: ResponseCopies): void => {
  copies = stored;
};

/** Makes a call and returns its `result`, or a copy when the server can't be reached; throws an {@link ApiError}. */
export async function call<Name extends CallName>(name: Name, ...[given]: Args<Name>): Promise<ResultOf<Name>> {
  const request = requestOf(name, given);
  // A single-use token can't be refreshed.
  if (given?.bearer !== undefined) return (await send(request, given.bearer)) as ResultOf<Name>;
  const mayCopy = SAFE.has(request.method) && session.token() !== null;
  const ends = session.ends();
  try {
    const result = await withRefresh(request, PUBLIC.has(name), send);
    if (mayCopy) copies?.store(name, request.url, result, ends);
    return result as ResultOf<Name>;
  } catch (error) {
    const isUnreached = error instanceof ApiError && error.status === 0;
    // Only reads count: a browser extension that blocks analytics events does not make the site unreachable.
    if (isUnreached && SAFE.has(request.method)) reportReach(false);
    const copy = mayCopy && isUnreached && ends === session.ends() ? await copies?.find(name, request.url) : undefined;
    if (copy === undefined) throw error;
    return copy as ResultOf<Name>;
  }
}

/** Makes a call that returns a file; throws an {@link ApiError}. */
export async function callFile<Name extends CallName>(name: Name, ...[given]: Args<Name>): Promise<FileResponse> {
  return withRefresh(requestOf(name, given), PUBLIC.has(name), sendForFile);
}

/** Makes a call that returns either a file or, like other calls, a `result`; throws an {@link ApiError}. */
export async function callFileOr<Name extends CallName>(name: Name, ...[given]: Args<Name>): Promise<{ file: FileResponse } | { result: ResultOf<Name> }> {
  const answer = await withRefresh(requestOf(name, given), PUBLIC.has(name), sendForEither);
  return 'file' in answer ? answer : { result: answer.result as ResultOf<Name> };
}

function requestOf(name: CallName, given: unknown): Request {
  const options = (given ?? {}) as { path?: Record<string, string>; query?: object; body?: unknown } & Omit<CallOptions, 'bearer'>;
  const space = name.indexOf(' ');
  const path = name.slice(space + 1).replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(options.path?.[key] ?? ''));
  const query = queryString(options.query);
  return {
    method: name.slice(0, space),
    url: query ? `${path}?${query}` : path,
    body: options.body === undefined ? undefined : JSON.stringify(options.body),
    signal: options.signal,
    keepalive: options.keepalive ?? false,
    idempotencyKey: options.idempotencyKey,
    waitsForDrawing: options.waitsForDrawing ?? false,
  };
}

/** Sends a request; after a 401 it awaits the shared token refresh and sends the request once more. */
async function withRefresh<Result>(request: Request, open: boolean, via: (request: Request, token: string | null) => Promise<Result>): Promise<Result> {
  const token = session.token();
  try {
    return await via(request, token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || error.code === 'session_ended' || token === null) throw error;
    const renewed = await refresh(token);
    if (renewed === null && !open) {
      session.reject();
      throw error;
    }
    return await via(request, renewed);
  }
}

let refreshing: { of: string; done: Promise<string | null> } | null = null;

/**
 * Refreshes the session that the token `stale` belonged to. Returns the new token, or null when the session has ended (it is then
 * cleared). Concurrent callers share one request; a lock shares it with the other tabs, so that the second one
 * finds the new token stored. When the server can't be reached, the error is thrown and the session stays.
 */
export function refresh(stale: string): Promise<string | null> {
  if (refreshing?.of === stale) return refreshing.done;
  const done = locked(async () => {
    const stored = session.token();
    if (stored !== stale) return stored; // another tab renewed it, or logged out
    try {
      const { token } = (await send(requestOf('POST /api/user/refresh-token', {}), null)) as SignedIn;
      session.start(token);
      return token;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      session.end('ended');
      return null;
    }
  }).finally(() => {
    refreshing = null;
  });
  refreshing = { of: stale, done };
  return done;
}

/** For protected pages: refreshes an expired token once. Returns whether a member is signed in. */
export async function ensureSession(): Promise<boolean> {
  const token = session.token();
  if (token === null) return false;
  if (session.isFresh()) return true;
  try {
    return (await refresh(token)) !== null;
  } catch {
    // The server can't be reached. The page's own calls report it; a network failure ends no session.
    return true;
  }
}

async function locked<T>(work: () => Promise<T>): Promise<T> {
  // Absent in insecure contexts; there the server accepts two refreshes within ten seconds (identity.refresh-rotation).
  const locks = (navigator as { locks?: LockManager }).locks;
  if (!locks) return work();
  return await locks.request('pith-refresh', work);
}

async function send(request: Request, token: string | null): Promise<unknown> {
  return request.waitsForDrawing ? whileBusy(() => sendOnce(request, token)) : sendOnce(request, token);
}

async function sendOnce(request: Request, token: string | null): Promise<unknown> {
  const { response, body } = await reach(request, token, (response) => response.text());
  const answer = parse(body);
  // The collection calls have no `result` (catalogue.collection-fields).
  if (response.ok && answer?.status === 'ok') return 'result' in answer ? answer.result : answer;
  throw failureOf(response, answer);
}

const sendForFile = (request: Request, token: string | null): Promise<FileResponse> =>
  whileBusy(async () => {
    const { response, body } = await reach(request, token, (response) => response.blob(), FILE_TIME_OUT);
    if (!response.ok) throw failureOf(response, parse(await body.text()));
    return { blob: body, name: fileNameOf(response) };
  });

async function sendForEither(request: Request, token: string | null): Promise<{ file: FileResponse } | { result: unknown }> {
  const { response, body } = await reach(request, token, (response) => response.blob(), FILE_TIME_OUT);
  if (response.ok && !/\bjson\b/.test(response.headers.get('Content-Type') ?? '')) return { file: { blob: body, name: fileNameOf(response) } };
  const answer = parse(await body.text());
  if (response.ok && answer?.status === 'ok') return { result: answer.result };
  throw failureOf(response, answer);
}

/** Retries a call while the server answers `busy`, after the delay in `Retry-After`, for at most {@link FILE_TIME_OUT} in all. */
async function whileBusy<Result>(ask: () => Promise<Result>): Promise<Result> {
  const until = Date.now() + FILE_TIME_OUT;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const wait = error instanceof ApiError && error.code === 'busy' ? error.retryAfter : null;
      if (wait === null || Date.now() + wait * 1000 > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    }
  }
}

const fileNameOf = (response: Response): string => /filename="([^"/\\]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'download';

function failureOf(response: Response, answer: Answer | null): ApiError {
  const wait = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiError({
    status: response.status,
    code: answer?.code ?? (response.ok && answer?.error === undefined ? UNEXPECTED_RESPONSE : 'internal'),
    message: answer?.error ?? GENERAL_FAILURE,
    field: answer?.field ?? null,
    retryAfter: Number.isFinite(wait) ? wait : null,
    ticket: answer?.ticket ?? null,
  });
}

async function reach<Body>(
  request: Request,
  token: string | null,
  read: (response: Response) => Promise<Body>,
  patience = request.idempotencyKey === undefined ? TIME_OUT : PAYMENT_TIME_OUT,
  // Safe methods and requests with an idempotency key are retried once.
  retries = SAFE.has(request.method) || request.idempotencyKey !== undefined ? 1 : 0,
): Promise<{ response: Response; body: Body }> {
  const headers = new Headers({ Accept: 'application/json' });
  if (request.body !== undefined) headers.set('Content-Type', 'application/json');
  if (token !== null) headers.set('Authorization', `Bearer ${token}`);
  if (request.idempotencyKey !== undefined) headers.set('Idempotency-Key', request.idempotencyKey);
  const deadline = AbortSignal.timeout(patience);
  const asked = Date.now();
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers,
      body: request.body ?? null,
      credentials: 'include',
      keepalive: request.keepalive,
      signal: request.signal ? AbortSignal.any([request.signal, deadline]) : deadline,
    });
    reportReach(true);
    // Responses to members are never cached, so their `Date` is the server's current time.
    if (token !== null) recordServerTime(response.headers.get('Date'), asked, Date.now());
    // The timeout includes the body, which may stall half way.
    return { response, body: await read(response) };
  } catch (error) {
    if (request.signal?.aborted) throw error; // the caller aborted it
    if (deadline.aborted) throw new ApiError({ status: 0, code: 'timeout', message: TIMED_OUT });
    if (retries > 0) return reach(request, token, read, patience, retries - 1);
    throw navigator.onLine
      ? new ApiError({ status: 0, code: 'network', message: GENERAL_FAILURE, cause: error })
      : new ApiError({ status: 0, code: 'network', message: OFFLINE });
  }
}

interface Answer {
  status: string;
  result?: unknown;
  error?: string;
  code?: string;
  field?: string;
  ticket?: string;
}

function parse(text: string): Answer | null {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return null; // a proxy's error page or a truncated response: the status is enough
  }
}
