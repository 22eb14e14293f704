import { act, render, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { call } from '@/api/client';
import { OfflineNotice } from '@/app/OfflineNotice';
import { on, server } from '@test/server';

it('says that the site can’t be reached on a network that works, until it answers', async () => {
  render(
    <MemoryRouter>
      <OfflineNotice />
    </MemoryRouter>,
  );
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  server.use(http.get('http://localhost:4000/api/categories', () => HttpResponse.error()));
  await act(() => call('GET /api/categories').catch(() => undefined));
  expect(screen.getByRole('status')).toHaveTextContent(/can’t be reached\. What is on the page stays; the rest has to wait\.$/);
  server.use(on('GET /api/categories', () => ({ categories: [] })));
  await act(async () => {
    await call('GET /api/categories');
  });
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

it('says nothing when a call that only reports something is blocked', async () => {
  render(
    <MemoryRouter>
      <OfflineNotice />
    </MemoryRouter>,
  );
  server.use(http.post('http://localhost:4000/api/events', () => HttpResponse.error()));
  await act(() => call('POST /api/events', { body: { name: 'start_for_free' } }).catch(() => undefined));
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});
