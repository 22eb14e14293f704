import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { TRANSITION } from '@/features/quizzes/components/Quiz';
import * as PersonalityQuizPage from '@/features/quizzes/pages/PersonalityQuizPage';
import * as PersonalityQuizResultsPage from '@/features/quizzes/pages/PersonalityQuizResultsPage';
import * as QuizPage from '@/features/quizzes/pages/QuizPage';
import * as QuizResultsPage from '@/features/quizzes/pages/QuizResultsPage';
import { storeTakenQuiz, takenQuiz } from '@/features/quizzes/session';
import { sampleSettings } from '@test/checkout';
import { openPages, press } from '@test/identity';
import { sampleBook } from '@test/samples';
import { failure, on, server } from '@test/server';

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
    (media) => ({ matches: reduced && media.includes('reduced-motion'), media, addEventListener: () => undefined, removeEventListener: () => undefined }) as unknown as MediaQueryList,
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
});

describe('a quiz', () => {
  it('shows one statement at a time, the next one 200 ms after an answer', async () => {
    open('/quiz');
    expect(await screen.findByText('Statement 1.')).toBeInTheDocument();
    expect(screen.queryByText('Statement 2.')).toBeNull();
    vi.useFakeTimers();
    fireEvent.click(screen.getByRole('button', { name: 'True' }));
    // A second press while the statement leaves answers nothing.
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
  const take = (result = outcome(['Linguistic'], { Linguistic: 2, Musical: 0 })) =>
    storeTakenQuiz('intelligence', { answers: ANSWERS, result, saved: false });

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
