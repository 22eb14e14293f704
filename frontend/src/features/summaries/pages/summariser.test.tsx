import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http } from 'msw';
import { RouterProvider, createMemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import type { Idea, Paragraph, ShownSummary, Summary } from '@/features/summaries/queries';
import * as SummariserPage from '@/features/summaries/pages/SummariserPage';
import * as SummaryPage from '@/features/summaries/pages/SummaryPage';
import { errorMessageOf, targetOf } from '@/lib/errorMessage';
import { Toaster } from '@/ui/toast';
import { sampleUser } from '@test/samples';
import { failure, ok, on, server } from '@test/server';

const NOW = Date.UTC(2026, 10, 23, 12);

const sample = (more: Partial<Summary> = {}): Summary => ({
  id: 7,
  title: 'On Walden',
  source: { kind: 'link', name: 'walden.example', url: 'https://walden.example/economy' },
  state: 'done',
  engine: 'built-in',
  fellBack: false,
  language: { code: 'eng', name: 'English' },
  words: 300,
  minutes: 2,
  ideaCount: 2,
  error: null,
  createdAt: NOW,
  doneAt: NOW,
  ...more,
});
const text: Paragraph[] = [
  { start: 0, text: 'Economy', heading: true },
  { start: 9, text: 'Simplify, simplify. Our life is frittered away.', heading: false },
  { start: 58, text: 'Read true books in a true spirit.', heading: false },
];
const idea = (id: number, more: Partial<Idea> = {}): Idea => ({
  id,
  title: 'Live simply',
  text: 'Simplify, simplify. Our life is frittered away.',
  supported: true,
  passages: [
    { start: 9, end: 28, text: 'Simplify, simplify.' },
    { start: 29, end: 56, text: 'Our life is frittered away.' },
  ],
  quotations: [],
  ...more,
});
const done = (more: Partial<ShownSummary> = {}): ShownSummary => ({
  summary: sample(),
  ideas: [idea(0), idea(1, { title: 'Read well', text: 'Books reward patience.', passages: [{ start: 58, end: 91, text: text[2]?.text ?? '' }] })],
  text,
  ...more,
});
/** What the calls that ask for a summary answer. */
const asked = (more: Partial<Summary> = {}) => {
  const summary = sample(more);
  return { summary: { ...summary, ideas: summary.state === 'done' ? done().ideas : null } };
};
const listed = (...summaries: Summary[]) => on('GET /api/ai/summaries', () => ({ summaries, next: null, total: summaries.length }));
const member = (isPaid = true) => on('GET /api/user/account', () => ({ user: sampleUser({ isPaid }) }));

function Pricing() {
  const { state } = useLocation() as { state: unknown };
  return <p>{`pricing: ${errorMessageOf(state) ?? ''} then ${targetOf(state) ?? ''}`}</p>;
}

function open(address: string) {
  const router = createMemoryRouter(
    [
      { path: '/ai', ...SummariserPage },
      { path: '/ai/:id', ...SummaryPage, errorElement: <p>nothing here</p> },
      { path: '/pricing', Component: Pricing },
    ],
    { initialEntries: [address] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>,
  );
  return { router, at: () => router.state.location.pathname };
}

const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name, { selector: 'input, textarea' });
const summarize = () => userEvent.click(screen.getByRole('button', { name: 'Summarize' }));

beforeEach(() => {
  session.start('token');
  server.use(member(), listed());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('asking for a summary', () => {
  it('takes one of link, file and text: choosing one clears the others', async () => {
    open('/ai');
    await userEvent.type(await field('Link'), 'walden.example');
    await userEvent.type(await field('Text'), 'Words');
    expect(await field('Link')).toHaveValue('');
    expect(screen.getByText('The link was cleared.')).toHaveAttribute('role', 'status');
    await userEvent.upload(await field('File'), new File(['Words'], 'walden.txt', { type: 'text/plain' }));
    expect(await field('Text')).toHaveValue('');
    expect(screen.getByText('walden.txt')).toBeVisible();
    await userEvent.type(await field('Link'), 'w');
    expect(screen.queryByText('walden.txt')).not.toBeInTheDocument();
    expect((await field('File')).files).toHaveLength(0);
  });

  it('sends a link with a key, and shows the summary when it takes longer', async () => {
    const sent: unknown[] = [];
    server.use(
      on('POST /api/ai/url', ({ request, body }) => {
        sent.push(body, request.headers.get('Idempotency-Key'));
        return asked({ state: 'queued', title: 'walden.example' });
      }),
      on('GET /api/ai/summaries/{id}', () => ({ summary: sample({ state: 'fetching' }), ideas: null, text: null })),
    );
    const { at } = open('/ai');
    await userEvent.type(await field('Link'), ' walden.example ');
    await summarize();
    await waitFor(() => expect(at()).toBe('/ai/7'));
    expect(sent).toEqual([{ url: 'walden.example' }, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(await screen.findByText('Waiting for its turn', { selector: 'li' })).toHaveAttribute('aria-current', 'step');
    await waitFor(() => expect(screen.getByText('Fetching the page', { selector: 'li' })).toHaveAttribute('aria-current', 'step'));
  });

  it('sends a pasted text', async () => {
    const sent: unknown[] = [];
    server.use(
      on('POST /api/ai/text', ({ body }) => {
        sent.push(body);
        return asked();
      }),
      on('GET /api/ai/summaries/{id}', () => done()),
    );
    const { at } = open('/ai');
    await userEvent.type(await field('Text'), 'Simplify.');
    await summarize();
    await waitFor(() => expect(at()).toBe('/ai/7'));
    expect(sent).toEqual([{ text: 'Simplify.' }]);
  });

  it('uploads a file', async () => {
    let name: unknown;
    server.use(
      http.post('http://localhost:4000/api/ai/file', async ({ request }) => {
        name = /filename="([^"]+)"/.exec(await request.text())?.[1];
        return ok(asked());
      }),
      on('GET /api/ai/summaries/{id}', () => done()),
    );
    const { at } = open('/ai');
    await userEvent.upload(await field('File'), new File(['Simplify.'], 'walden.txt', { type: 'text/plain' }));
    await summarize();
    await waitFor(() => expect(at()).toBe('/ai/7'));
    expect(name).toBe('walden.txt');
  });

  it('says how far the summary is while the request waits, and cancels it', async () => {
    const cancelled: unknown[] = [];
    let answer: (response: Response) => void = () => undefined;
    const waits = new Promise<Response>((resolve) => (answer = resolve));
    let newest = sample({ id: 6, state: 'reading' });
    server.use(
      on('GET /api/ai/summaries', () => ({ summaries: [newest], next: null, total: 1 })),
      on('POST /api/ai/url', () => {
        newest = sample({ id: 7, state: 'fetching' });
        return waits;
      }),
      on('POST /api/ai/summaries/{id}/cancel', ({ request }) => {
        cancelled.push(new URL(request.url).pathname);
        answer(failure(404, 'not_found', 'There is no such summary.'));
        return {};
      }),
    );
    const { at } = open('/ai');
    await userEvent.type(await field('Link'), 'walden.example');
    await summarize();
    expect(await screen.findByText('Fetching the page', { selector: '.ask li' }, { timeout: 5000 })).toHaveAttribute('aria-current', 'step');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('The summary was cancelled.')).toBeInTheDocument();
    expect(cancelled).toEqual(['/api/ai/summaries/7/cancel']);
    expect(at()).toBe('/ai');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Summarize' })).not.toHaveAttribute('aria-disabled'));
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(await field('Link')).toHaveValue('walden.example');
  });

  it('refuses nothing, and a file that is too large, without a call', async () => {
    open('/ai');
    await field('Link');
    await summarize();
    expect(await screen.findByRole('alert')).toHaveTextContent('Please select a file or url');
    expect(await field('Link')).toHaveFocus();
    const file = new File(['x'], 'large.pdf', { type: 'application/pdf' });
    Object.defineProperty(file, 'size', { value: 26 * 1024 * 1024 });
    fireEvent.change(await field('File'), { target: { files: [file] } });
    await summarize();
    expect(await screen.findByRole('alert')).toHaveTextContent('The file is larger than 25 MB.');
    expect(await field('File')).toBeInvalid();
  });

  it.each([
    ['the field that is wrong', () => failure(422, 'validation_failed', 'This is not a web address.', { field: 'url' }), 'This is not a web address.'],
    [
      'the limit in the server’s words',
      () => failure(429, 'too_many_tries', 'Two of your summaries are in progress.', { retryAfter: 5 }),
      'Two of your summaries are in progress.',
    ],
    ['what can’t be read', () => failure(415, 'unsupported_media_type', 'This is a picture.', { field: 'url' }), 'This is a picture.'],
    ['a full queue', () => failure(503, 'busy', 'Too many are waiting.', { retryAfter: 30 }), 'Too many are waiting.'],
    ['what was unexpected', () => new Response('<html>', { status: 500 }), 'There was an unexpected error. Try again later.'],
  ])('says %s, and keeps what was typed', async (_, answer, message) => {
    server.use(on('POST /api/ai/url', answer));
    open('/ai');
    await userEvent.type(await field('Link'), 'walden.example');
    await summarize();
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
    expect(await field('Link')).toHaveValue('walden.example');
    expect(screen.getByRole('button', { name: 'Summarize' })).not.toHaveAttribute('aria-disabled');
  });

  it('leads a member without a plan to the prices', async () => {
    server.use(member(false));
    open('/ai');
    expect(await screen.findByText('pricing: Please upgrade to have your own pages and files summarized. then /ai')).toBeInTheDocument();
  });

  it('leads there too when the plan has ended meanwhile, and a visitor who presses', async () => {
    server.use(on('POST /api/ai/url', () => failure(403, 'upgrade_required', 'Your plan has ended.')));
    open('/ai?url=walden.example');
    expect(await field('Link')).toHaveValue('walden.example');
    await summarize();
    expect(await screen.findByText('pricing: Your plan has ended. then /ai')).toBeInTheDocument();
  });

  it('shows a visitor what it does, and the prices at the press', async () => {
    session.end('left');
    open('/ai');
    await userEvent.type(await field('Link'), 'walden.example');
    expect(screen.queryByRole('heading', { name: 'Your summaries' })).not.toBeInTheDocument();
    await summarize();
    expect(await screen.findByText(/^pricing: /)).toBeInTheDocument();
  });
});

describe('a summary that is under way', () => {
  it('says what is done now, until it is done', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let state = 'queued';
    server.use(
      on('GET /api/ai/summaries/{id}', () =>
        state === 'done' ? done() : { summary: sample({ state, source: { kind: 'file', name: 'walden.pdf', url: null } }), ideas: null, text: null },
      ),
    );
    open('/ai/7');
    for (const [next, words] of [
      ['queued', 'Waiting for its turn'],
      ['reading', 'Reading the file'],
      ['summarising', 'Weighing every sentence for the key ideas'],
    ] as const) {
      state = next;
      await vi.advanceTimersByTimeAsync(1100);
      await waitFor(() => expect(screen.getByText(words, { selector: 'li' })).toHaveAttribute('aria-current', 'step'));
      expect(screen.getByText(words, { selector: 'p' })).toHaveAttribute('role', 'status');
    }
    state = 'done';
    await vi.advanceTimersByTimeAsync(1100);
    // The focus moves, because its button is removed.
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'On Walden' })).toHaveFocus());
    expect(screen.getByRole('heading', { level: 2, name: 'Live simply' })).toBeInTheDocument();
  });

  it('is cancelled', async () => {
    const cancelled = vi.fn();
    server.use(
      on('GET /api/ai/summaries/{id}', () => ({ summary: sample({ state: 'reading' }), ideas: null, text: null })),
      on('POST /api/ai/summaries/{id}/cancel', () => {
        cancelled();
        return {};
      }),
    );
    const { at } = open('/ai/7');
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    // First: it is shown for a few seconds only.
    expect(await screen.findByText('The summary was cancelled.')).toBeInTheDocument();
    await waitFor(() => expect(at()).toBe('/ai'));
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it('that was done a moment before the cancellation is shown', async () => {
    let isDone = false;
    server.use(
      on('GET /api/ai/summaries/{id}', () => (isDone ? done() : { summary: sample({ state: 'reading' }), ideas: null, text: null })),
      on('POST /api/ai/summaries/{id}/cancel', () => {
        isDone = true;
        return failure(409, 'already_there', 'It is finished.');
      }),
    );
    open('/ai/7');
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(await screen.findByRole('heading', { level: 2, name: 'Live simply' })).toBeInTheDocument();
  });

  it('says why it failed, and what to do', async () => {
    server.use(
      on('GET /api/ai/summaries/{id}', () => ({
        summary: sample({ state: 'failed', error: { code: 'unreachable', text: 'We can’t reach this site.' } }),
        ideas: null,
        text: null,
      })),
    );
    open('/ai/7');
    expect(await screen.findByRole('alert')).toHaveTextContent('We can’t reach this site.');
    expect(screen.getByRole('link', { name: 'Try again' })).toHaveAttribute('href', '/ai?url=https%3A%2F%2Fwalden.example%2Feconomy');
  });

  it('shows an error of the server, and tries again', async () => {
    let tries = 0;
    server.use(on('GET /api/ai/summaries/{id}', () => (tries++ === 0 ? failure(503, 'busy', 'Too busy right now.') : done())));
    open('/ai/7');
    expect(await screen.findByRole('alert')).toHaveTextContent('Too busy right now.');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { level: 2, name: 'Live simply' })).toBeInTheDocument();
  });

  it('of another member is not there', async () => {
    server.use(on('GET /api/ai/summaries/{id}', () => failure(404, 'not_found', 'There is no such summary.')));
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    open('/ai/8');
    expect(await screen.findByText('nothing here')).toBeInTheDocument();
  });
});

describe('the reader of a summary', () => {
  /** Mocks a screen that is wide enough for the source to have its own column. */
  const beWide = () =>
    vi.stubGlobal('matchMedia', (media: string) => ({
      matches: media.includes('72rem'),
      media,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));

  it('opens the passage of a mark in the source beside it, and lights it until the next', async () => {
    beWide();
    server.use(on('GET /api/ai/summaries/{id}', () => done()));
    open('/ai/7');
    const source = await screen.findByRole('complementary', { name: 'Source' });
    expect(within(source).getByText('Economy')).toBeInTheDocument();
    expect(source.querySelectorAll('.passage')).toHaveLength(2);
    expect(source.querySelector('.passage--shown')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Passage 2 in the source' }));
    expect(source.querySelector('.passage--shown')).toHaveTextContent('Our life is frittered away.');
    expect(within(source).getByText('Passage 2 of 2: Our life is frittered away.')).toHaveAttribute('role', 'status');
    expect(screen.getByRole('button', { name: 'Passage 2 in the source' })).toHaveAttribute('aria-pressed', 'true');
    await userEvent.click(within(source).getByRole('button', { name: 'Previous passage' }));
    expect(source.querySelector('.passage--shown')).toHaveTextContent('Simplify, simplify.');
  });

  it('opens it in a panel where there is no room beside it', async () => {
    server.use(on('GET /api/ai/summaries/{id}', () => done()));
    open('/ai/7');
    await userEvent.click(await screen.findByRole('button', { name: 'Passage 1 in the source' }));
    const panel = screen.getByRole('dialog', { name: 'From the source' });
    expect(panel.querySelector('.passage--shown')).toHaveTextContent('Simplify, simplify.');
    await userEvent.click(within(panel).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('turns with the arrow keys, and cites what an idea says in its own words', async () => {
    server.use(on('GET /api/ai/summaries/{id}', () => done()));
    open('/ai/7');
    await screen.findByRole('heading', { level: 2, name: 'Live simply' });
    await userEvent.keyboard('{ArrowRight}');
    expect(screen.getByRole('heading', { level: 2, name: 'Read well' })).toHaveFocus();
    await userEvent.click(within(screen.getByText(/^From the source/)).getByRole('button', { name: 'Passage 1 in the source' }));
    expect(screen.getByRole('dialog').querySelector('.passage--shown')).toHaveTextContent('Read true books in a true spirit.');
  });

  it('marks an idea without support, and says when the model was down', async () => {
    server.use(on('GET /api/ai/summaries/{id}', () => done({ summary: sample({ fellBack: true }), ideas: [idea(0, { supported: false, passages: [] })] })));
    open('/ai/7');
    expect(await screen.findByText('No passage in the source supports this idea. Read it with care.')).toBeInTheDocument();
    expect(screen.getByText(/The language model could not be reached/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'See it in the source' })).not.toBeInTheDocument();
  });

  it('has only a part of a long source on the page, and more at a press', async () => {
    const long = Array.from({ length: 300 }, (_, i) => ({ start: i * 20, text: `Paragraph ${i}.`, heading: false }));
    server.use(
      on('GET /api/ai/summaries/{id}', () =>
        done({ ideas: [idea(0, { text: 'Other words.', passages: [{ start: 3000, end: 3010, text: 'Paragraph ' }] })], text: long }),
      ),
    );
    open('/ai/7');
    await userEvent.click(await screen.findByRole('button', { name: 'See it in the source' }));
    const panel = within(screen.getByRole('dialog'));
    expect(panel.getAllByText(/^Paragraph/)).toHaveLength(81);
    await userEvent.click(panel.getByRole('button', { name: 'Show the text before' }));
    await userEvent.click(panel.getByRole('button', { name: 'Show the text after' }));
    expect(panel.getAllByText(/Paragraph|^\.$/).length).toBeGreaterThan(200);
  });

  it('downloads the summary, and says why not', async () => {
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }));
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    server.use(
      on('GET /api/ai/summaries/{id}', () => done()),
      http.get(
        'http://localhost:4000/api/ai/summaries/7/pdf',
        () => new Response('%PDF', { headers: { 'Content-Disposition': 'attachment; filename="On Walden.pdf"' } }),
      ),
      http.get('http://localhost:4000/api/ai/summaries/7/epub', () => failure(429, 'too_many_tries', 'Too many downloads.')),
    );
    open('/ai/7');
    await userEvent.click(await screen.findByRole('button', { name: 'Options' }));
    await userEvent.click(screen.getByRole('button', { name: 'PDF' }));
    await waitFor(() => expect(saved).toEqual(['On Walden.pdf']));
    await userEvent.click(screen.getByRole('button', { name: 'EPUB' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many downloads.');
    vi.restoreAllMocks();
  });
});

describe('the way of a summary to the e-reader', () => {
  const send = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Options' }));
    await userEvent.click(screen.getByRole('button', { name: 'Send to Kindle' }));
  };

  it('is one press, and says that it takes some minutes', async () => {
    const sent: string[] = [];
    server.use(
      on('GET /api/ai/summaries/{id}', () => done()),
      on('POST /api/ai/summaries/{id}/send', ({ request }) => {
        sent.push(new URL(request.url).pathname);
        return { delivery: 3 };
      }),
    );
    open('/ai/7');
    await send();
    expect(await screen.findByText('It is on its way. It should be on your Kindle in a few minutes.')).toBeVisible();
    expect(sent).toEqual(['/api/ai/summaries/7/send']);
  });

  it('leads who has no address there to setting it', async () => {
    server.use(
      on('GET /api/ai/summaries/{id}', () => done()),
      on('POST /api/ai/summaries/{id}/send', () =>
        failure(422, 'validation_failed', 'Please set the address of your Kindle first.', { field: 'kindle_email' }),
      ),
    );
    open('/ai/7');
    await send();
    expect(await screen.findByRole('alert')).toHaveTextContent('Please set the address of your Kindle first.');
    expect(screen.getByRole('link', { name: 'Set your Kindle’s address' })).toHaveAttribute('href', '/set-kindle');
  });
});

describe('the member’s summaries', () => {
  const titles = () => screen.queryAllByRole('heading', { level: 3 }).map((heading) => heading.textContent);

  it('are listed with their state', async () => {
    server.use(
      listed(
        sample({ id: 3, title: 'Third', state: 'queued' }),
        sample({ id: 2, title: 'Second', state: 'failed', error: { code: 'scanned', text: 'This PDF has pictures of pages.' } }),
        sample({ id: 1, title: 'First' }),
      ),
    );
    open('/ai');
    expect(await screen.findByRole('link', { name: 'First' })).toHaveAttribute('href', '/ai/1');
    expect(titles()).toEqual(['Third', 'Second', 'First']);
    expect(screen.getByText('walden.example · Waiting for its turn …')).toBeInTheDocument();
    expect(screen.getByText('This PDF has pictures of pages.')).toBeInTheDocument();
    expect(screen.getByText('walden.example · 2 key ideas · 2 min · November 23, 2026')).toBeInTheDocument();
  });

  it('are found by words', async () => {
    server.use(
      on('GET /api/ai/summaries', ({ request }) => {
        const all = [sample({ id: 1, title: 'Walden' }), sample({ id: 2, title: 'Emma' })];
        const q = new URL(request.url).searchParams.get('q') ?? '';
        const summaries = all.filter(({ title }) => title.toLowerCase().includes(q));
        return { summaries, next: null, total: summaries.length };
      }),
    );
    open('/ai');
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Search' }), 'emma');
    await waitFor(() => expect(titles()).toEqual(['Emma']));
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search' }), 'x');
    expect(await screen.findByText('Nothing found for “emmax”.')).toBeInTheDocument();
  });

  it('are renamed', async () => {
    let title = 'On Walden';
    server.use(
      on('GET /api/ai/summaries', () => ({ summaries: [sample({ title })], next: null, total: 1 })),
      on('PUT /api/ai/summaries/{id}', ({ body }) => {
        title = (body as { title: string }).title;
        return { summary: sample({ title }) };
      }),
    );
    open('/ai');
    await userEvent.click(await screen.findByRole('button', { name: 'Rename On Walden' }));
    const name = within(screen.getByRole('dialog')).getByLabelText('Title');
    await userEvent.clear(name);
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Please specify Title.')).toBeInTheDocument();
    await userEvent.type(name, ' On life ');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(titles()).toEqual(['On life']));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('are deleted when the time to undo is over, and the focus goes to the next', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const deleted: string[] = [];
    let all = [sample({ id: 11, title: 'A' }), sample({ id: 12, title: 'B' })];
    server.use(
      on('GET /api/ai/summaries', () => ({ summaries: all, next: null, total: all.length })),
      on('DELETE /api/ai/summaries/{id}', ({ request }) => {
        deleted.push(new URL(request.url).pathname);
        all = all.slice(1);
        return {};
      }),
    );
    open('/ai');
    await userEvent.click(await screen.findByRole('button', { name: 'Delete A' }));
    expect(titles()).toEqual(['B']);
    expect(screen.getByRole('button', { name: 'Delete B' })).toHaveFocus();
    expect(deleted).toEqual([]);
    await vi.advanceTimersByTimeAsync(12_500);
    await waitFor(() => expect(deleted).toEqual(['/api/ai/summaries/11']));
    expect(titles()).toEqual(['B']);
  });

  it('come back with Undo, and nothing was deleted', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    server.use(
      listed(sample({ id: 21, title: 'A' }), sample({ id: 22, title: 'B' })),
      on('DELETE /api/ai/summaries/{id}', () => {
        throw new Error('It was deleted.');
      }),
    );
    open('/ai');
    await userEvent.click(await screen.findByRole('button', { name: 'Delete B' }));
    expect(titles()).toEqual(['A']);
    const toast = within((await screen.findByText('“B” was deleted.')).closest<HTMLElement>('.toast') ?? document.body);
    await userEvent.click(toast.getByRole('button', { name: 'Undo' }));
    expect(titles()).toEqual(['A', 'B']);
    expect(screen.getByRole('button', { name: 'Delete B' })).toHaveFocus();
    await vi.advanceTimersByTimeAsync(13_000);
    expect(titles()).toEqual(['A', 'B']);
  });

  it('are deleted at once when the page is closed', async () => {
    const deleted: string[] = [];
    server.use(
      listed(sample({ id: 31, title: 'A' })),
      on('DELETE /api/ai/summaries/{id}', ({ request }) => {
        deleted.push(new URL(request.url).pathname);
        return {};
      }),
    );
    open('/ai');
    await userEvent.click(await screen.findByRole('button', { name: 'Delete A' }));
    window.dispatchEvent(new Event('pagehide'));
    await waitFor(() => expect(deleted).toEqual(['/api/ai/summaries/31']));
  });

  it('come back when the server refuses, and say so', async () => {
    server.use(
      listed(sample({ id: 41, title: 'A' })),
      on('DELETE /api/ai/summaries/{id}', () => failure(503, 'busy', 'Too busy.')),
    );
    open('/ai');
    await userEvent.click(await screen.findByRole('button', { name: 'Delete A' }));
    window.dispatchEvent(new Event('pagehide'));
    expect(await screen.findByText('“A” could not be deleted. Too busy.')).toBeInTheDocument();
    await waitFor(() => expect(titles()).toEqual(['A']));
  });
});
