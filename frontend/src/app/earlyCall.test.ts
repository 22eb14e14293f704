import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { call } from '@/api/client';
import { beginEarlyCall } from '@/api/earlyCall';
import { SESSION_VALIDITY, TOKEN_DATE } from '@/api/hints';
import { session } from '@/api/session';
import { bookQuery } from '@/features/reading/queries';
import { queryClient } from '@/api/queryClient';
import { server } from '@test/server';

/** Answers each request for a book with its number; the list has who asked. */
function books(answer: (asked: number) => Response = (asked) => HttpResponse.json({ status: 'ok', result: { asked } })): (string | null)[] {
  const asked: (string | null)[] = [];
  server.use(
    http.get('http://localhost:4000/api/books/walden', ({ request }) => {
      asked.push(request.headers.get('Authorization'));
      return answer(asked.length);
    }),
  );
  return asked;
}

const ask = () => queryClient.query(bookQuery('walden'));

beforeEach(() => {
  window.earlyCall = undefined;
  queryClient.clear();
});

it('gives the page’s own call the response that was asked for in the head, once', async () => {
  session.start('t1');
  const asked = books();
  expect(beginEarlyCall('/books/walden')).toBe(true);
  expect(await ask()).toEqual({ asked: 1 });
  expect(asked).toEqual(['Bearer t1']);
  queryClient.clear();
  expect(await ask(), 'a later visit').toEqual({ asked: 2 });
});

it('asks again for another member, and where the first request did not arrive', async () => {
  session.start('t1');
  const asked = books((n) => (n === 2 ? HttpResponse.error() : HttpResponse.json({ status: 'ok', result: { asked: n } })));
  beginEarlyCall('/books/walden');
  session.start('t2');
  await expect.poll(() => asked.length).toBe(1);
  window.earlyCall = undefined;
  beginEarlyCall('/books/walden');
  expect(await ask()).toEqual({ asked: 3 });
  expect(asked).toEqual(['Bearer t1', 'Bearer t2', 'Bearer t2']);
});

it('leaves a response to the member who asked for it', async () => {
  session.start('t1');
  const asked = books();
  beginEarlyCall('/books/walden');
  session.start('t2');
  expect(await call('GET /api/books/{id}', { path: { id: 'walden' }, query: { preview: true, unlessOpen: true } })).toEqual({ asked: 2 });
  expect(asked).toEqual(['Bearer t1', 'Bearer t2']);
});

it('asks for nothing without a member, with a session that has to be refreshed, and on other pages', () => {
  expect(beginEarlyCall('/books/walden')).toBe(false);
  session.start('t1');
  expect(beginEarlyCall('/books')).toBe(false);
  expect(beginEarlyCall('/books/walden/notes')).toBe(false);
  localStorage.setItem(TOKEN_DATE, String(Date.now() - SESSION_VALIDITY - 1));
  expect(beginEarlyCall('/books/walden')).toBe(false);
  expect(window.earlyCall).toBeUndefined();
});
