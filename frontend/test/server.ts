// The server of the component tests: MSW, with answers that the wire types check.
import { HttpResponse, http } from 'msw';
import type { HttpHandler } from 'msw';
import { setupServer } from 'msw/node';
import type { CallName, ResultOf } from '@/api/types';

export const server = setupServer();

export const ok = (result: unknown) => HttpResponse.json({ status: 'ok', result });

/** An error response of the server. */
export const failure = (status: number, code: string, error: string, more: { field?: string; retryAfter?: number; ticket?: string } = {}) =>
  HttpResponse.json(
    {
      status: 'error',
      error,
      code,
      ...(more.field && { field: more.field }),
      ...(more.ticket && { ticket: more.ticket }),
      ...(status === 401 && { notLoggedIn: true }),
    },
    { status, ...(more.retryAfter !== undefined && { headers: { 'Retry-After': String(more.retryAfter) } }) },
  );

interface Seen {
  request: Request;
  body: unknown;
}

/** Handles one call; `answer` returns its result, or a response made with `failure`. */
export function on<N extends CallName>(name: N, answer: (seen: Seen) => ResultOf<N> | Response | Promise<ResultOf<N> | Response>): HttpHandler {
  const [method, path] = name.split(' ') as [string, string];
  const route = `http://localhost:4000${path.replace(/\{(\w+)\}/g, ':$1')}`;
  return http[method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'](route, async ({ request }) => {
    // An upload is no JSON.
    const text = request.headers.get('content-type')?.startsWith('multipart/') ? '' : await request.clone().text();
    const answered = await answer({ request, body: text ? (JSON.parse(text) as unknown) : null });
    return answered instanceof Response ? answered : ok(answered);
  });
}
