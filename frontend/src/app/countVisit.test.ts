import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { countVisit } from '@/app/countVisit';
import { on, server } from '@test/server';

describe('a visit', () => {
  it('is counted once for each browser session', async () => {
    const events: unknown[] = [];
    server.use(
      on('POST /api/events', ({ body }) => {
        events.push(body);
        return {};
      }),
    );
    countVisit();
    countVisit();
    await waitFor(() => expect(events).toEqual([{ name: 'visit' }]));
    sessionStorage.clear();
    countVisit();
    await waitFor(() => expect(events).toHaveLength(2));
  });
});
