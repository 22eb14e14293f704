import { readFileSync } from 'node:fs';
import { HttpResponse, delay, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { PUBLIC, call, callFile, callFileOr, ensureSession, queryString } from '@/api/client';
import { ApiError } from '@/api/errors';
import { SESSION_VALIDITY, session } from '@/api/session';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';

const bearer = (request: Request) => request.headers.get('Authorization')?.replace('Bearer ', '') ?? null;
const expired = () => failure(401, 'unauthenticated', 'Please log in.');
const failed = async (work: Promise<unknown>): Promise<ApiError> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`No ApiError but ${String(error)}`);
  return error;
};

/** An endpoint that accepts only the token `good`, and a refresh endpoint answered by `renew`; counts the calls to both. */
function expiringServer(good: string, renew: () => Response | Promise<Response>) {
  const seen = { refreshes: 0, refused: 0, served: 0 };
  server.use(
    on('GET /api/user/account', ({ request }) => {
      if (bearer(request) !== good) {
        seen.refused++;
        return expired();
      }
      seen.served++;
      return { user: sampleUser() };
    }),
    http.post('http://localhost:4000/api/user/refresh-token', async () => {
      seen.refreshes++;
      await delay(20);
      return renew();
    }),
  );
  return seen;
}

const renewedTo = (token: string) => HttpResponse.json({ status: 'ok', result: { token, user: sampleUser() } });

describe('a call', () => {
  it('sends the token and returns the result', async () => {
    session.start('t1');
    server.use(on('GET /api/user/account', ({ request }) => (bearer(request) === 't1' ? { user: sampleUser() } : expired())));
    expect((await call('GET /api/user/account')).user.firstName).toBe('Ada');
  });

  it('fills path, query and body', async () => {
    let url = '';
    let body: unknown;
    server.use(
      on('PUT /api/books/rating/{id}', (seen) => {
        url = seen.request.url;
        body = seen.body;
        return { rating: { rating: 4, feedback: '' } };
      }),
    );
    await call('PUT /api/books/rating/{id}', { path: { id: 'a/b' }, body: { rating: 4 } });
    expect(url).toMatch(/\/rating\/a%2Fb$/);
    expect(body).toEqual({ rating: 4 });
  });

  it('sends its idempotency key, and once more with the same key when the connection broke', async () => {
    const keys: (string | null)[] = [];
    server.use(
      on('POST /api/user/login', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return keys.length === 1 ? HttpResponse.error() : { token: 't', user: sampleUser() };
      }),
    );
    await call('POST /api/user/login', { body: { username: 'a', password: 'b' }, idempotencyKey: 'k-1' });
    expect(keys).toEqual(['k-1', 'k-1']);
    // Without an idempotency key the call may have taken effect, so it is not repeated.
    keys.length = 0;
    expect((await failed(call('POST /api/user/login', { body: { username: 'a', password: 'b' } }))).code).toBe('network');
    expect(keys).toEqual([null]);
  });

  it('returns a file or a result, whichever the server sends', async () => {
    const path = { id: 'walden' };
    server.use(
      on(
        'GET /api/books/download-pdf/{id}',
        () => new HttpResponse('%PDF', { headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': 'attachment; filename="walden.pdf"' } }),
      ),
    );
    expect(await callFileOr('GET /api/books/download-pdf/{id}', { path })).toMatchObject({ file: { name: 'walden.pdf' } });
    server.use(on('GET /api/books/download-pdf/{id}', () => HttpResponse.json({ status: 'ok', result: { requiresAction: true } })));
    expect(await callFileOr('GET /api/books/download-pdf/{id}', { path })).toEqual({ result: { requiresAction: true } });
    server.use(on('GET /api/books/download-pdf/{id}', () => failure(402, 'card_declined', 'Your card was declined.')));
    expect(await failed(callFileOr('GET /api/books/download-pdf/{id}', { path }))).toMatchObject({ status: 402, message: 'Your card was declined.' });
  });

  it('waits for a drawing, and for no other busy server', async () => {
    const path = { id: 'walden' };
    let asked = 0;
    const busyOnce = () => (++asked % 2 === 1 ? failure(503, 'busy', 'Please try again.', { retryAfter: 0 }) : null);
    server.use(
      on('GET /api/infographics/{id}/download', () => busyOnce() ?? { url: '/media/a.png', until: 1 }),
      on(
        'GET /api/books/download-epub/{id}',
        () => busyOnce() ?? new HttpResponse('PK', { headers: { 'Content-Disposition': 'attachment; filename="walden.epub"' } }),
      ),
    );
    expect((await call('GET /api/infographics/{id}/download', { path, waitsForDrawing: true })).url).toBe('/media/a.png');
    expect((await callFile('GET /api/books/download-epub/{id}', { path })).name).toBe('walden.epub');
    expect(asked).toBe(4);
    expect((await failed(call('GET /api/infographics/{id}/download', { path }))).code).toBe('busy');
    // No retry when `Retry-After` is missing or too long.
    asked = 0;
    server.use(on('GET /api/books/download-epub/{id}', () => failure(503, 'busy', 'Please try again.', ++asked === 1 ? {} : { retryAfter: 3600 })));
    expect((await failed(callFile('GET /api/books/download-epub/{id}', { path }))).code).toBe('busy');
    expect((await failed(callFile('GET /api/books/download-epub/{id}', { path }))).code).toBe('busy');
    expect(asked).toBe(2);
  });

  it('throws the server’s error as an ApiError', async () => {
    server.use(on('POST /api/user/login', () => failure(429, 'too_many_tries', 'Too many attempts.', { retryAfter: 20 })));
    const error = await failed(call('POST /api/user/login', { body: { username: 'a', password: 'b' } }));
    expect(error).toMatchObject({ status: 429, code: 'too_many_tries', message: 'Too many attempts.', retryAfter: 20, field: null });
  });

  it('names the field of a failure', async () => {
    server.use(on('POST /api/user/register', () => failure(409, 'email_taken', 'Taken.', { field: 'username' })));
    const error = await failed(call('POST /api/user/register', { body: { username: 'a', password: 'b', firstName: 'c', lastName: 'd' } }));
    expect(error.field).toBe('username');
  });

  it('throws a general error for a response that is not the server’s', async () => {
    server.use(http.get('http://localhost:4000/api/categories', () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 })));
    const error = await failed(call('GET /api/categories'));
    expect(error).toMatchObject({ status: 502, code: 'internal', message: 'There was an error processing your request. Please try again later.' });
  });

  it('retries a read once when the network fails, and never a write', async () => {
    let reads = 0;
    let writes = 0;
    server.use(
      http.get('http://localhost:4000/api/categories', () =>
        ++reads === 1 ? HttpResponse.error() : HttpResponse.json({ status: 'ok', result: { categories: [] } }),
      ),
      http.post('http://localhost:4000/api/library', () => {
        writes++;
        return HttpResponse.error();
      }),
    );
    expect((await call('GET /api/categories')).categories).toEqual([]);
    expect((await failed(call('POST /api/library', { body: { bookId: 1 } }))).code).toBe('network');
    expect([reads, writes]).toEqual([2, 1]);
  });

  it.each([
    [true, 'There was an error processing your request. Please try again later.'],
    [false, 'You seem to be offline. Check your connection and try again.'],
  ])('says that the device is offline only when the browser does (online: %s)', async (online, message) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
    server.use(on('GET /api/categories', () => HttpResponse.error()));
    expect(await failed(call('GET /api/categories'))).toMatchObject({ status: 0, code: 'network', message });
  });

  it('is aborted after the timeout', async () => {
    const clock = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
    server.use(
      http.get('http://localhost:4000/api/categories', async () => {
        clock.abort(new DOMException('late', 'TimeoutError'));
        await delay('infinite');
      }),
    );
    expect((await failed(call('GET /api/categories'))).code).toBe('timeout');
  });
});

describe('an expired token', () => {
  it('of fifty concurrent calls leads to one refresh and fifty replays', async () => {
    session.start('old');
    const seen = expiringServer('new', () => renewedTo('new'));
    const answers = await Promise.all(Array.from({ length: 50 }, () => call('GET /api/user/account')));
    expect(answers).toHaveLength(50);
    expect(seen).toEqual({ refreshes: 1, refused: 50, served: 50 });
    expect(session.token()).toBe('new');
    expect(session.isFresh()).toBe(true);
  });

  it('of a late response after the refresh is not refreshed again', async () => {
    session.start('old');
    const seen = expiringServer('new', () => renewedTo('new'));
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      on('GET /api/user-book-history/xp', async ({ request }) => {
        if (bearer(request) === 'new') return failure(404, 'not_found', 'reached');
        await held;
        return expired();
      }),
    );
    const late = failed(call('GET /api/user-book-history/xp'));
    await call('GET /api/user/account');
    release();
    expect((await late).message).toBe('reached');
    expect(seen.refreshes).toBe(1);
  });

  it('that another tab has refreshed is read from the storage', async () => {
    session.start('old');
    const seen = expiringServer('theirs', () => renewedTo('unused'));
    server.use(
      on('GET /api/user/account', ({ request }) => {
        if (bearer(request) === 'theirs') return { user: sampleUser() };
        localStorage.setItem('token', 'theirs');
        return expired();
      }),
    );
    await call('GET /api/user/account');
    expect(seen.refreshes).toBe(0);
  });

  it('is replayed once only', async () => {
    session.start('old');
    const seen = expiringServer('never', () => renewedTo('new'));
    expect((await failed(call('GET /api/user/account'))).status).toBe(401);
    expect(seen).toMatchObject({ refreshes: 1, refused: 2 });
  });
});

describe('a refresh that fails', () => {
  const over = () => failure(401, 'session_ended', 'Please log in again.');

  it('ends the session for all waiting calls', async () => {
    session.start('old');
    const seen = expiringServer('none', over);
    const errors = await Promise.all(Array.from({ length: 50 }, () => failed(call('GET /api/user/account'))));
    expect(errors.every((error) => error.notLoggedIn)).toBe(true);
    expect(seen).toEqual({ refreshes: 1, refused: 50, served: 0 });
    expect(session.token()).toBeNull();
    expect(session.lastEnd()).toBe('ended');
  });

  it('lets a public call go on as a visitor', async () => {
    session.start('old');
    expiringServer('none', over);
    server.use(on('GET /api/categories', ({ request }) => (bearer(request) === null ? { categories: [] } : expired())));
    expect((await call('GET /api/categories')).categories).toEqual([]);
    expect(session.token()).toBeNull();
  });

  it('lets every call that the server opens to visitors go on as a visitor', () => {
    interface Described {
      paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>;
    }
    const { paths } = JSON.parse(readFileSync('../openapi.json', 'utf8')) as Described;
    const open = Object.entries(paths).flatMap(([path, calls]) =>
      Object.entries(calls)
        .filter(([, { security }]) => security?.some((way) => Object.keys(way).length === 0))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    expect(open.length).toBeGreaterThan(20);
    expect([...PUBLIC].sort()).toEqual(open.sort());
  });

  it('by a network error does not end the session', async () => {
    session.start('old');
    expiringServer('none', () => HttpResponse.error());
    expect((await failed(call('GET /api/user/account'))).code).toBe('network');
    expect(session.token()).toBe('old');
  });

  it('by a server error does not end the session', async () => {
    session.start('old');
    expiringServer('none', () => failure(503, 'busy', 'Please try again.', { retryAfter: 2 }));
    expect((await failed(call('GET /api/user/account'))).code).toBe('busy');
    expect(session.token()).toBe('old');
  });
});

describe('before a protected page', () => {
  const age = (ms: number) => localStorage.setItem('tokenDate', String(Date.now() - ms));

  it('a visitor is not signed in', async () => {
    expect(await ensureSession()).toBe(false);
  });

  it('a token younger than an hour is used as it is', async () => {
    session.start('t');
    age(SESSION_VALIDITY - 5000);
    expect(await ensureSession()).toBe(true);
  });

  it('an older token is refreshed first, and its date with it', async () => {
    session.start('old');
    age(SESSION_VALIDITY + 1);
    const seen = expiringServer('new', () => renewedTo('new'));
    expect(await ensureSession()).toBe(true);
    expect(seen.refreshes).toBe(1);
    expect(session.isFresh()).toBe(true);
  });

  it('a token that can’t be refreshed is removed', async () => {
    session.start('old');
    age(SESSION_VALIDITY + 1);
    expiringServer('none', () => failure(401, 'session_ended', 'Please log in again.'));
    expect(await ensureSession()).toBe(false);
    expect(session.token()).toBeNull();
  });
});

it('equal queries have equal query strings', () => {
  expect(queryString({ sort: 'ab', category: 'x', q: '', audio: false, video: true, after: null })).toBe('category=x&sort=ab&video=true');
});
