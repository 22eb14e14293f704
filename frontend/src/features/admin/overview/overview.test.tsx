import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { OverviewBook } from '@/features/admin/overview/queries';
import { sampleOverview, signInAs } from '@test/admin';
import { openApp } from '@test/app';
import { failure, on, server } from '@test/server';

let app: ReturnType<typeof openApp> | null = null;
afterEach(() => app?.close());

const book = (id: number, more: Partial<OverviewBook> = {}): OverviewBook => ({
  id,
  subid: `book-${id}`,
  title: `Book ${id}`,
  author: 'Ada Writer',
  uploadDate: Date.UTC(2026, 2, id, 12),
  updatedAt: 0,
  publishAt: null,
  ...more,
});

const rowsOf = async (name: string) =>
  within(await screen.findByRole('list', { name }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

const linkTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

describe('the overview for editors (admin.content-overview)', () => {
  it('says of each list that it is empty', async () => {
    signInAs('editor');
    app = openApp('/admin');
    expect(await screen.findByText('No drafts.')).toBeVisible();
    for (const text of [
      'Nothing is scheduled.',
      'Every published book has a cover, audio and illustrated key ideas.',
      'No search without a result was made twice.',
      'No book has enough readers yet.',
    ]) {
      expect(screen.getByText(text)).toBeVisible();
    }
  });

  it('links each row to where it is mended, and each list to all of it', async () => {
    signInAs('editor');
    server.use(
      on('GET /api/admin/content-overview', () =>
        sampleOverview({
          drafts: { count: 7, newest: [book(9)], oldest: [book(1)] },
          scheduled: { count: 1, books: [book(2, { publishAt: Date.UTC(2026, 11, 24, 12) })] },
          incomplete: [
            { lacking: 'cover', count: 1, books: [book(3)] },
            { lacking: 'audio', count: 12, books: [book(4)] },
            { lacking: 'key_ideas', count: 1, books: [book(5)] },
          ],
          searches: [{ words: 'knitting & chess', count: 4 }],
          dropOffs: [{ id: 6, title: 'Walden', section: 1, sectionTitle: 'Where I lived', readers: 20, stopped: 12 }],
        }),
      ),
    );
    app = openApp('/admin');
    expect(await rowsOf('Newest drafts')).toEqual(['Book 9Added 2026-03-09']);
    expect(await rowsOf('Oldest drafts')).toEqual(['Book 1Added 2026-03-01']);
    expect((await rowsOf('Scheduled books'))[0]).toMatch(/Book 2.*Dec 24/);
    expect(await rowsOf('Where readers stop')).toEqual(['Walden2. Where I lived12 of 20 readers']);
    expect(await rowsOf('Searches without a result')).toEqual(['knitting & chessSee it4 searches']);

    expect(linkTo('Book 9')).toBe('/admin/book-edit/9');
    expect(linkTo('Book 2')).toBe('/admin/book-edit/2');
    expect(linkTo('Book 3')).toBe('/admin/book-photo/3');
    expect(linkTo('Book 4')).toBe('/admin/book-media/4');
    expect(linkTo('Book 5')).toBe('/admin/visuals-add?book=book-5');
    expect(linkTo('Walden')).toBe('/admin/book-edit/6');
    expect(linkTo('All drafts')).toBe('/admin/books-list?state=draft');
    expect(linkTo('All scheduled')).toBe('/admin/books-list?state=scheduled');
    expect(linkTo('No audio: see all 12')).toBe('/admin/books-list?lacking=audio&state=published');
    expect(linkTo('knitting & chess: look for a book to mend')).toBe('/admin/books-list?q=knitting+%26+chess');
    expect(linkTo('knitting & chess: see what readers find')).toBe('/books?q=knitting+%26+chess');
  });

  it('is shown to admins beside what waits for them', async () => {
    signInAs('admin');
    app = openApp('/admin');
    expect(await screen.findByText('No drafts.')).toBeVisible();
    expect(await screen.findByText('All caught up.')).toBeVisible();
  });

  it('is asked for again when it could not be loaded', async () => {
    signInAs('editor');
    let down = true;
    server.use(on('GET /api/admin/content-overview', () => (down ? failure(503, 'busy', 'Too busy right now.') : sampleOverview())));
    app = openApp('/admin');
    const again = await screen.findByRole('button', { name: /try again/i });
    down = false;
    await userEvent.click(again);
    expect(await screen.findByText('No drafts.')).toBeVisible();
  });
});
