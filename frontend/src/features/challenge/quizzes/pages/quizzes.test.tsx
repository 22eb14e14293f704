import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { TRANSITION } from '@/features/challenge/quizzes/components/Quiz';
import * as PersonalityQuizPage from '@/features/challenge/quizzes/pages/PersonalityQuizPage';
import * as PersonalityQuizResultsPage from '@/features/challenge/quizzes/pages/PersonalityQuizResultsPage';
import * as QuizPage from '@/features/challenge/quizzes/pages/QuizPage';
import * as QuizResultsPage from '@/features/challenge/quizzes/pages/QuizResultsPage';
import { storeTakenQuiz, takenQuiz } from '@/features/challenge/quizzes/session';
import { sampleSettings } from '@test/checkout';
import { saveFile } from '@/lib/saveFile';
import { openPages, press } from '@test/identity';
import { sampleBook } from '@test/samples';
import { failure, on, server } from '@test/server';

vi.mock('@/lib/saveFile', () => ({ saveFile: vi.fn() }));

const QUESTIONS = ['Linguistic', 'Musical', 'Linguistic'].map((type, i) => ({ id: i + 1, type, statement: `Statement ${i + 1}.` }));
const outcome = (leaders: string[], counts: Record<string, number>, takenAt = 1_700_000_000_000) => ({
  leaders,
  takenAt,
  totals: Object.entries(counts).map(([type, count]) => ({ type, count, questions: 2, percent: count * 50 })),
});

const open = (address: string) =>
  openPages(
    [
      { path: '/quiz', ...QuizPage },
      { path: '/quiz-results', ...QuizResultsPage },
      { path: '/personality-quiz', ...PersonalityQuizPage },
      { path: '/personality-quiz-results', ...PersonalityQuizResultsPage },
    ],
    address,
  );

const setReducedMotion = (reduced: boolean) =>
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      ({
        matches: reduced && media.includes('reduced-motion'),
        media,
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  );

beforeEach(() => {
  session.end('left');
  server.use(
    on('GET /api/quiz/{kind}', () => ({ questions: QUESTIONS })),
    on('GET /api/charge/settings', () => sampleSettings()),
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.mocked(saveFile).mockClear();
  Reflect.deleteProperty(navigator, 'canShare');
  Reflect.deleteProperty(navigator, 'share');
});

describe('a quiz', () => {
  it('shows one statement at a time, the next one 200 ms after an answer', async () => {
    open('/quiz');
    expect(await screen.findByText('Statement 1.')).toBeInTheDocument();
    expect(screen.queryByText('Statement 2.')).toBeNull();
    vi.useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'True' }));
    // A second press during the transition is ignored.
    fireEvent.click(screen.getByRole('button', { name: 'False' }));
    await act(() => vi.advanceTimersByTimeAsync(TRANSITION - 1));
    expect(screen.getByText('Statement 1.')).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(screen.getByText('Statement 2.')).toBeInTheDocument();
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '1 of 3');
  });

  it('is answered by key, saves the totals in the session and ends in a card that leads to the results', async () => {
    setReducedMotion(true);
    open('/quiz');
    await screen.findByText('Statement 1.');
    await userEvent.keyboard('t');
    expect(screen.getByText('Statement 2.')).toBeInTheDocument();
    await userEvent.keyboard('{ArrowRight}');
    await userEvent.keyboard('{ArrowLeft}');
    expect(screen.getByRole('heading', { name: 'All answered' })).toHaveFocus();
    expect(screen.getByRole('link', { name: 'See your results' })).toHaveAttribute('href', '/quiz-results');
    expect(takenQuiz('intelligence')?.result).toMatchObject({
      leaders: ['Linguistic'],
      totals: [
        { type: 'Linguistic', count: 2, questions: 2, percent: 100 },
        { type: 'Musical', count: 0, questions: 1, percent: 0 },
      ],
    });
  });

  it('goes on where a reload left it, and an answer can be taken back', async () => {
    setReducedMotion(true);
    open('/personality-quiz');
    await screen.findByText('Statement 1.');
    await press('True');
    document.body.replaceChildren();
    open('/personality-quiz');
    expect(await screen.findByText('Statement 2.')).toBeInTheDocument();
    await press('Back');
    expect(screen.getByText('Statement 1.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  });

  it('shows a failure with another try', async () => {
    server.use(on('GET /api/quiz/{kind}', () => failure(500, 'internal', 'The server failed.')));
    open('/quiz');
    expect(await screen.findByRole('alert')).toHaveTextContent('The server failed.');
    server.use(on('GET /api/quiz/{kind}', () => ({ questions: QUESTIONS })));
    await press('Try again');
    expect(await screen.findByText('Statement 1.')).toBeInTheDocument();
  });
});

describe('the results of a quiz', () => {
  const ANSWERS = QUESTIONS.map(({ id }) => ({ id, answer: id !== 2 }));
  const take = (result = outcome(['Linguistic'], { Linguistic: 2, Musical: 0 })) => storeTakenQuiz('intelligence', { answers: ANSWERS, result, saved: false });

  it('lead to the quiz while there are none', async () => {
    open('/personality-quiz-results');
    expect(await screen.findByRole('link', { name: 'Take the quiz' })).toHaveAttribute('href', '/personality-quiz');
  });

  it('show a visitor the shares, and the way to the report that comes back', async () => {
    take();
    open('/quiz-results');
    expect(await screen.findByRole('heading', { level: 1, name: 'You are strongest in Linguistic' })).toBeInTheDocument();
    const rows = within(screen.getByRole('list', { name: 'Your shares' })).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual(['Linguistic100%: True to 2 of 2, the most', 'Musical0%: True to 0 of 2']);
    expect(screen.getByRole('link', { name: /^Open the report/ })).toHaveAttribute('href', '/payment/quiz?redirect=%2Fquiz-results');
    expect(screen.getByRole('link', { name: 'Or with any plan' })).toHaveAttribute('href', '/try?redirect=%2Fquiz-results');
    expect(screen.getByRole('link', { name: 'sign up' })).toHaveAttribute('href', '/signup?redirect=%2Fquiz-results');
  });

  it('are shared as a picture: by the device where it can, else as a download', async () => {
    const asked: string[] = [];
    server.use(
      on('GET /api/quiz/{kind}/picture', ({ request }) => {
        asked.push(new URL(request.url).search);
        return new HttpResponse('pixels', { headers: { 'Content-Type': 'image/png' } });
      }),
    );
    take();
    open('/quiz-results');
    await press('Share as a picture');
    expect(await screen.findByRole('button', { name: 'Share as a picture' })).not.toHaveAttribute('aria-disabled');
    await waitFor(() => expect(vi.mocked(saveFile).mock.calls[0]?.[1]).toBe('my-intelligence.png'));
    expect(asked).toEqual(['?counts=2%2C0']);
    const share = vi.fn().mockResolvedValue(undefined);
    Object.defineProperties(navigator, { canShare: { value: () => true, configurable: true }, share: { value: share, configurable: true } });
    await press('Share as a picture');
    await waitFor(() => expect(share).toHaveBeenCalledOnce());
    expect((share.mock.calls[0]?.[0] as { files: File[] }).files[0]?.type).toBe('image/png');
    expect(saveFile).toHaveBeenCalledOnce();
    expect(screen.getByRole('link', { name: 'Share by email' }).getAttribute('href')).toContain(encodeURIComponent('/quiz?result=2,0'));
  });

  it('name all leaders on a tie, and say when nothing stood out', async () => {
    take(outcome(['Linguistic', 'Musical'], { Linguistic: 1, Musical: 1 }));
    open('/quiz-results');
    expect(await screen.findByRole('heading', { level: 1, name: 'You are strongest in Linguistic and Musical' })).toBeInTheDocument();
    document.body.replaceChildren();
    take(outcome([], { Linguistic: 0, Musical: 0 }));
    open('/quiz-results');
    expect(await screen.findByRole('heading', { level: 1, name: 'Nothing stood out' })).toBeInTheDocument();
  });

  it('of this session are given to the member once, and the earlier ones are listed', async () => {
    const sent: unknown[] = [];
    const saved = [outcome(['Musical'], { Linguistic: 0, Musical: 1 })];
    server.use(
      on('POST /api/quiz/{kind}/results', ({ body }) => {
        sent.push(body);
        const result = outcome(['Linguistic'], { Linguistic: 2, Musical: 0 }, 1_800_000_000_000);
        saved.unshift(result);
        return result;
      }),
      on('GET /api/quiz/{kind}/results', () => ({ results: saved, hasReport: false })),
    );
    take();
    session.start('t');
    open('/quiz-results');
    expect(await screen.findByRole('heading', { name: 'Earlier results' })).toBeInTheDocument();
    expect(screen.getByText('November 14, 2023')).toBeInTheDocument();
    expect(sent).toEqual([{ answers: ANSWERS }]);
    expect(takenQuiz('intelligence')?.saved).toBe(true);
    expect(screen.queryByRole('link', { name: 'sign up' })).toBeNull();
    document.body.replaceChildren();
    open('/quiz-results');
    await screen.findByRole('heading', { name: 'Earlier results' });
    expect(sent).toHaveLength(1);
  });

  it('have the detailed report for who owns it: leaders in full, the others folded', async () => {
    const result = outcome(['Linguistic'], { Linguistic: 2, Musical: 0 });
    const words = { title: 'You think in words', meaning: 'Sentences.', caution: 'Beware.', practice: 'Write.' };
    const [first, second] = result.totals;
    if (!first || !second) throw new Error('There are two.');
    server.use(
      on('GET /api/quiz/{kind}/results', () => ({ results: [result], hasReport: true })),
      on('GET /api/quiz/{kind}/report', () => ({
        result,
        sections: [
          { ...first, ...words, books: [sampleBook(1)] },
          { ...second, ...words, title: 'You hear the pattern', books: [] },
        ],
      })),
    );
    session.start('t');
    open('/quiz-results');
    expect(await screen.findByRole('heading', { name: 'You think in words' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Book 1' })).toBeInTheDocument();
    expect(screen.getByText('You hear the pattern').closest('details')).not.toHaveAttribute('open');
    expect(screen.queryByRole('link', { name: /^Open the report/ })).toBeNull();
    server.use(on('GET /api/quiz/{kind}/report/pdf', () => failure(429, 'rate_limited', 'Too many attempts. Please wait a moment.')));
    await press('PDF');
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many attempts.');
    server.use(on('GET /api/quiz/{kind}/report/pdf', () => new HttpResponse('pages', { headers: { 'Content-Type': 'application/pdf' } })));
    await press('PDF');
    await waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('that could not be fetched are shown from the session, with the failure beside them', async () => {
    server.use(on('POST /api/quiz/{kind}/results', () => failure(500, 'internal', 'The server failed.')));
    take();
    session.start('t');
    open('/quiz-results');
    expect(await screen.findByRole('alert')).toHaveTextContent('The server failed.');
    expect(screen.getByRole('heading', { level: 1, name: 'You are strongest in Linguistic' })).toBeInTheDocument();
    await waitFor(() => expect(takenQuiz('intelligence')?.saved).toBe(false));
  });
});
