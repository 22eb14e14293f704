import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http } from 'msw';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import * as ReviewCardsPage from '@/features/study/review/pages/ReviewCardsPage';
import * as ReviewPage from '@/features/study/review/pages/ReviewPage';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { accountQuery } from '@/shared/session/account';
import { addDays, dayOf, formatDayName } from '@/shared/study/days';
import { isCardShown } from '@/shared/study/records';
import type { CardSchedule, Highlight, ReviewCard } from '@/shared/study/records';
import type { StudySettings } from '@/shared/study/settings';
import { studyStore } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';
import { Toaster } from '@/ui/toast';
import { sampleUser } from '@test/samples';
import { failure, on, server } from '@test/server';
import { sampleCard, sampleChanges, sampleHighlight, sampleStudySettings } from '@test/study';

const ADA = 7;
const today = () => dayOf(Date.now(), 'UTC');
const inDays = (days: number) => addDays(today(), days);

const schedule = (more: Partial<CardSchedule> = {}): CardSchedule => ({
  question: '',
  answer: '',
  isLocked: false,
  state: 'ok',
  due: today(),
  last: null,
  answers: 1,
  lapses: 0,
  next: [0, 2, 35, 130],
  isWaiting: false,
  ...more,
});

const own = (id: number, more: Partial<CardSchedule> = {}, rest: Partial<ReviewCard> = {}): ReviewCard =>
  sampleCard({
    id,
    createdAt: id,
    content: { value: { question: `Question ${id}?`, answer: `Answer ${id}.`, blanks: [] }, at: 1 },
    schedule: schedule(more),
    ...rest,
  });

const some = (count: number, more: Partial<CardSchedule> = {}) => Array.from({ length: count }, (_, at) => own(at + 1, more));

let isPaid: boolean;
let isDown: boolean;
let settings: StudySettings;

/** Stores what the server has. */
async function given(cards: ReviewCard[], highlights: Highlight[] = []): Promise<void> {
  await studyStore.load(ADA);
  await studyStore.receive(ADA, { cards, highlights, cursor: 1, isEnd: true });
}

function open(path = '/review') {
  const router = createMemoryRouter(
    [
      { path: '/review', ...ReviewPage },
      { path: '/review/cards', ...ReviewCardsPage },
      { path: '*', Component: () => null },
    ],
    { initialEntries: [path] },
  );
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>,
  );
  return { router, ...view, at: () => router.state.location.pathname + router.state.location.search };
}

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  session.start('token');
  copiesOwner.set(ADA);
  isPaid = false;
  isDown = false;
  settings = sampleStudySettings({ countsForStreak: false });
  server.use(
    on('GET /api/user/account', () => ({ user: sampleUser({ id: ADA, isPaid }) })),
    on('GET /api/study/settings', () => ({ settings })),
    on('GET /api/study/changes', () => (isDown ? failure(503, 'unavailable', 'Busy.') : sampleChanges({ version: 1 }))),
    // What is changed here stays unsent.
    http.put('*/api/study/cards/:id', () => failure(503, 'unavailable', 'Busy.')),
    http.post('*/api/study/answers', () => failure(503, 'unavailable', 'Busy.')),
  );
  await studyStore.removeMember(ADA);
});
afterEach(async () => {
  cleanup();
  // Ends what the page has begun: the account that it asks for would be the next test's.
  await syncStudy();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  session.end('left');
});

const question = (name: string) => screen.findByRole('heading', { level: 2, name });
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const keys = (text: string) => userEvent.keyboard(text);
const answers = () => [...studyStore.snapshot().answers.values()].map(({ cardId, rating }) => [cardId, rating]);
const said = (text: string) => screen.findByText(text, { selector: '[role="status"]' });

describe('/review (study.review-screen)', () => {
  it('asks one card after the other, and shows how far it is', async () => {
    await given(some(2));
    open();
    expect(await question('Question 1?')).toBeVisible();
    await waitFor(() => expect(document.title).toMatch(/^Review/));
    expect(screen.getByText('1 of 2 · about 1 minute')).toBeVisible();
    expect(screen.getByText('Walden')).toBeVisible();
    expect(screen.queryByText('Answer 1.')).toBeNull();
    await press('Show answer');
    expect(screen.getByText('Answer 1.')).toBeVisible();
    expect(screen.getByRole('heading', { level: 3, name: 'Answer' })).toHaveFocus();
    const ratings = within(screen.getByRole('group', { name: 'How well did you know it?' })).getAllByRole('button');
    expect(ratings.map(({ textContent }) => textContent)).toEqual(['Again today', 'Hard 2 days', 'Good 5 weeks', 'Easy 4 months']);
    await press(/^Good/);
    expect(await question('Question 2?')).toHaveFocus();
    expect(screen.getByText('2 of 2 · about 1 minute')).toBeVisible();
    expect(await said(`Good. Comes again on ${formatDayName(inDays(35))}.`)).toBeInTheDocument();
  });

  it('is done by keys: Space or Enter shows the answer, 1 to 4 rate it', async () => {
    await given(some(3));
    open();
    await question('Question 1?');
    // Nothing to rate yet.
    await keys('3');
    expect(screen.getByText('1 of 3 · about 1 minute')).toBeVisible();
    await keys(' 4');
    await question('Question 2?');
    await keys('{Enter}2');
    await question('Question 3?');
    await keys(' 3');
    expect(await question('Done for today')).toHaveFocus();
    expect(screen.getByText('3 cards, 3 right the first time.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to My Home' })).toHaveAttribute('href', '/home');
    expect(screen.getByText(`The next one comes on ${formatDayName(inDays(2))}.`)).toBeVisible();
    cleanup();
    expect(answers()).toEqual([
      [1, 4],
      [2, 2],
      [3, 3],
    ]);
  });

  it('leaves a key to the control that has the focus', async () => {
    await given(some(2));
    open();
    await question('Question 1?');
    screen.getByRole('link', { name: 'All cards' }).focus();
    await keys(' ');
    expect(screen.queryByText('Answer 1.')).toBeNull();
  });

  it('asks a card that was answered Again once more on the same day', async () => {
    await given(some(2));
    open();
    await question('Question 1?');
    await keys(' 1');
    await question('Question 2?');
    expect(await said('Again. Comes again today.')).toBeInTheDocument();
    expect(screen.getByText('1 of 2 · about 1 minute')).toBeVisible();
    await keys(' 3');
    await question('Question 1?');
    await keys(' ');
    expect(screen.getByRole('button', { name: 'Good 1 day' })).toBeVisible();
    await keys('3');
    await question('Done for today');
    expect(screen.getByText('2 cards, 1 right the first time.')).toBeVisible();
  });

  it('takes the last rating back before it is stored', async () => {
    await given(some(2));
    open();
    await question('Question 1?');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    await keys(' 1');
    await question('Question 2?');
    await keys('u');
    expect(await question('Question 1?')).toBeVisible();
    // Its answer is shown, to be rated again.
    expect(screen.getByRole('heading', { level: 3, name: 'Answer' })).toHaveFocus();
    expect(await said('The rating was taken back.')).toBeInTheDocument();
    await keys('3');
    await question('Question 2?');
    await keys('{Control>}z{/Control}');
    await question('Question 1?');
    await keys('4');
    await question('Question 2?');
    await keys(' 3');
    await question('Done for today');
    await press('Undo');
    await question('Question 2?');
    cleanup();
    expect(answers()).toEqual([[1, 4]]);
  });

  it('stores the last rating when the page is left', async () => {
    await given(some(1));
    const { router } = open();
    await question('Question 1?');
    await keys(' 3');
    await question('Done for today');
    expect(answers()).toEqual([]);
    await router.navigate('/elsewhere');
    await waitFor(() => expect(answers()).toEqual([[1, 3]]));
  });

  it('hides the words of a highlight until the answer is shown', async () => {
    const highlight = sampleHighlight({ anchor: { section: 0, start: 0, end: 22, exact: 'I went to the woods.', prefix: '', suffix: '' } });
    const card = sampleCard({
      kind: 'highlight',
      highlightId: 7,
      section: 0,
      content: { value: { question: '', answer: '', blanks: [{ start: 14, end: 19 }] }, at: 1 },
      schedule: schedule(),
    });
    await given([card], [highlight]);
    open();
    expect(await question('I went to the hidden.')).toBeVisible();
    expect(document.body).not.toHaveTextContent('woods');
    await press('Show answer');
    expect(screen.getByText('woods', { selector: 'mark' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Read it in the summary' })).toHaveAttribute('href', '/books/walden?section=1');
  });

  it('shows an idea with the member’s highlights in it, and where it stands', async () => {
    const idea = sampleCard({
      kind: 'idea',
      ideaTitle: 'Simplify',
      section: 0,
      schedule: schedule({ question: 'What does “Simplify” mean?', answer: 'Own little.' }),
    });
    await given([idea], [sampleHighlight()]);
    open();
    await question('What does “Simplify” mean?');
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
    await press('Show answer');
    expect(screen.getByText('Own little.')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Your highlights' })).toBeVisible();
    expect(screen.getByText('woods')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Read the idea' })).toHaveAttribute('href', '/books/walden?section=1');
  });

  it('says that the text of an idea needs a plan', async () => {
    await given([sampleCard({ kind: 'idea', section: 0, schedule: schedule({ question: 'Why?', isLocked: true }) })]);
    open();
    await question('Why?');
    await press('Show answer');
    expect(screen.getByRole('link', { name: 'Upgrade to read it again' })).toHaveAttribute('href', '/try');
    expect(screen.queryByRole('link', { name: 'Read the idea' })).toBeNull();
  });

  it('pauses a card, and brings it back', async () => {
    await given(some(2));
    open();
    await question('Question 1?');
    await press('Pause this card');
    expect(await question('Question 2?')).toHaveFocus();
    expect(screen.getByText('1 of 1 · about 1 minute')).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('1 of 2 · about 1 minute')).toBeVisible();
    expect(studyStore.snapshot().cards.get(1)?.state.paused.value).toBe(false);
  });

  it('edits an own question', async () => {
    await given(some(1));
    open();
    await question('Question 1?');
    await keys('e');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit your question' }));
    await userEvent.clear(dialog.getByRole('textbox', { name: 'Question' }));
    await userEvent.type(dialog.getByRole('textbox', { name: 'Question' }), 'Why so?');
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await question('Why so?')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('follows another tab or device', async () => {
    await given(some(2));
    open();
    await question('Question 1?');
    await studyStore.receive(ADA, { highlights: [], cards: [{ ...own(1, { due: inDays(9), last: today() }), version: 2 }], cursor: 2, isEnd: true });
    expect(await question('Question 2?')).toBeVisible();
  });

  it('shows that it loads', async () => {
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      on('GET /api/study/changes', async () => {
        await waiting;
        return sampleChanges();
      }),
    );
    open();
    expect(await screen.findByText('Loading your cards')).toBeInTheDocument();
    release();
    expect(await question('Remember what you read')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See your highlights' })).toHaveAttribute('href', '/highlights');
  });

  it('says when nothing is due, and when the next cards come', async () => {
    await given([own(1, { due: inDays(1) }), own(2, { due: inDays(1) }), own(3, { due: inDays(4) })]);
    open();
    expect(await question('Nothing to review today')).toBeVisible();
    expect(screen.getByText('The next 2 come tomorrow.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Add key ideas from a book' })).toHaveAttribute('href', '/library?shelf=finished');
  });

  it('says that the day counts for the streak, when the member wants that (study.review-streak)', async () => {
    settings = { ...settings, countsForStreak: true };
    await given([own(1, { due: inDays(3), last: today() })]);
    open();
    await question('Done for today');
    expect(await screen.findByText('Today counts for your streak.')).toBeVisible();
  });

  it('says that no card is in review', async () => {
    await given([own(1, {}, { paused: { value: true, at: 2 } }), own(2, { state: 'gone' })]);
    open();
    expect(await question('Nothing to review today')).toBeVisible();
    expect(screen.getByText(/^No card is in review/)).toBeVisible();
  });

  it('says what was done earlier today', async () => {
    await given([own(1, { due: inDays(3), last: today() })]);
    open();
    expect(await question('Done for today')).toBeVisible();
    expect(screen.getByText('You have reviewed 1 card.')).toBeVisible();
    expect(screen.queryByText('Today counts for your streak.')).toBeNull();
  });

  it('asks no more than the member chose, unless they want ten more', async () => {
    settings = { ...settings, dailyMax: 5 };
    await given(some(17));
    open();
    await screen.findByText('1 of 5 · about 1 minute');
    for (let at = 1; at <= 5; at += 1) {
      await question(`Question ${at}?`);
      await keys(' 3');
    }
    expect(await question('Done for today')).toBeVisible();
    expect(screen.getByText('12 more are due. You chose 5 a day.')).toBeVisible();
    await press('Review 10 more');
    expect(await question('Question 6?')).toHaveFocus();
    expect(screen.getByText('6 of 15 · about 3 minutes')).toBeVisible();
  });

  it('says that cards wait without a plan', async () => {
    await given(some(23));
    open();
    await screen.findByText('1 of 20 · about 5 minutes');
    expect(await screen.findByText(/^You have 23 cards. 20 are in review; the others wait./)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Upgrade' })).toHaveAttribute('href', '/try');
  });

  it('works offline, with what is on this device', async () => {
    await given(some(2));
    queryClient.clear();
    server.use(
      on('GET /api/user/account', () => failure(503, 'unavailable', 'Busy.')),
      on('GET /api/study/settings', () => failure(503, 'unavailable', 'Busy.')),
    );
    isDown = true;
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    open();
    await question('Question 1?');
    await keys(' 3');
    await question('Question 2?');
    await keys(' 3');
    expect(await question('Done for today')).toBeVisible();
    expect(answers()).toEqual([[1, 3]]);
  });

  it('says that the cards could not be loaded, and tries again', async () => {
    isDown = true;
    open();
    const again = await screen.findByRole('button', { name: 'Try again' });
    isDown = false;
    await userEvent.click(again);
    expect(await question('Remember what you read')).toBeVisible();
  });

  it('offline without cards says that they are not on this device', async () => {
    isDown = true;
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    open();
    expect(await screen.findByRole('heading', { name: 'Not on this device' })).toBeVisible();
  });
});

describe('/review/cards', () => {
  const entries = () => [...document.querySelectorAll<HTMLElement>('[data-card]')].map((entry) => entry.querySelector('.card-entry__question')?.textContent);
  const entry = (text: string) => {
    const found = screen.getByText(text).closest('li');
    if (!found) throw new Error(`'${text}' is in no list.`);
    return within(found);
  };

  const FOUR = () => [
    own(1),
    own(2, { due: inDays(1) }, { paused: { value: true, at: 2 } }),
    own(3, { due: inDays(12) }, { title: 'Meditations', subid: 'meditations', author: 'Marcus Aurelius' }),
    sampleCard({
      id: 4,
      createdAt: 4,
      kind: 'idea',
      ideaTitle: 'Solitude',
      section: 2,
      schedule: schedule({ question: 'What does “Solitude” mean?', state: 'gone' }),
    }),
  ];

  it('lists all cards, the last one first, with what they are from and when they come', async () => {
    await given(FOUR());
    open('/review/cards');
    expect(await screen.findByText('4 cards')).toBeVisible();
    await waitFor(() => expect(document.title).toMatch(/^Review cards/));
    expect(entries()).toEqual(['What does “Solitude” mean?', 'Question 3?', 'Question 2?', 'Question 1?']);
    expect(entry('Question 1?').getByText('Due today')).toBeVisible();
    expect(entry('Question 2?').getByText('Paused')).toBeVisible();
    expect(entry('Question 3?').getByText(`Due ${formatDayName(inDays(12))}`)).toBeVisible();
    expect(entry('Question 3?').getByRole('link', { name: 'Meditations' })).toHaveAttribute('href', '/books/meditations');
    const gone = entry('What does “Solitude” mean?');
    expect(gone.getByText('This idea is no longer in the summary.')).toBeVisible();
    expect(gone.queryByRole('button', { name: /^Edit/ })).toBeNull();
    expect(screen.getByRole('link', { name: 'Review' })).toHaveAttribute('href', '/review');
  });

  it('says which cards wait for a plan', async () => {
    await given(some(21));
    open('/review/cards');
    expect(await screen.findByText('Waits for a plan')).toBeVisible();
    expect(entry('Question 21?').getByText('Waits for a plan')).toBeVisible();
    expect(screen.getByText(/^You have 21 cards/)).toBeVisible();
    // With a plan none does.
    isPaid = true;
    await queryClient.invalidateQueries({ queryKey: accountQuery().queryKey });
    await waitFor(() => expect(screen.queryByText('Waits for a plan')).toBeNull());
    expect(screen.queryByText(/^You have 21 cards/)).toBeNull();
  });

  it('finds cards by their words, and keeps the search in the URL', async () => {
    await given(FOUR());
    const { at } = open('/review/cards');
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Search your cards' }), 'aurelius QUESTION');
    await waitFor(() => expect(entries()).toEqual(['Question 3?']));
    expect(at()).toBe('/review/cards?q=aurelius+QUESTION');
    expect(screen.getByText('1 card')).toHaveAttribute('role', 'status');
    await userEvent.type(screen.getByRole('searchbox'), ' zzz');
    expect(await screen.findByRole('heading', { name: 'No card matches.' })).toBeVisible();
    await press('Show all cards');
    await waitFor(() => expect(entries()).toHaveLength(4));
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    expect(at()).toBe('/review/cards');
  });

  it('pauses a card and resumes it', async () => {
    await given(FOUR());
    open('/review/cards');
    await userEvent.click(await screen.findByRole('button', { name: 'Pause “Question 1?”' }));
    expect(entry('Question 1?').getByText('Paused')).toBeVisible();
    await press('Resume “Question 1?”');
    expect(entry('Question 1?').getByText('Due today')).toBeVisible();
  });

  it('deletes a card, keeps the focus in the list, and brings the card back', async () => {
    await given(FOUR());
    open('/review/cards');
    await userEvent.click(await screen.findByRole('button', { name: 'Delete “Question 3?”' }));
    await waitFor(() => expect(entries()).toEqual(['What does “Solitude” mean?', 'Question 2?', 'Question 1?']));
    expect(screen.getByRole('button', { name: 'Delete “Question 2?”' })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(entries()).toHaveLength(4));
    for (const name of ['What does “Solitude” mean?', 'Question 3?', 'Question 2?', 'Question 1?']) await press(`Delete “${name}”`);
    expect(await screen.findByRole('heading', { name: 'No cards yet' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    expect([...studyStore.snapshot().cards.values()].some(({ state }) => isCardShown(state))).toBe(false);
  });

  it('adds a question of the member’s own', async () => {
    await given([]);
    open('/review/cards');
    await userEvent.click(await screen.findByRole('button', { name: 'New question' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New question' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Add to review' }));
    expect(dialog.getByText('Please write a question.')).toBeVisible();
    expect(dialog.getByRole('textbox', { name: 'Question' })).toHaveFocus();
    await userEvent.type(dialog.getByRole('textbox', { name: 'Question' }), '  Why? ');
    await userEvent.click(dialog.getByRole('textbox', { name: 'Answer' }));
    await userEvent.paste('a'.repeat(2_001));
    await userEvent.click(dialog.getByRole('button', { name: 'Add to review' }));
    expect(await dialog.findByText('Please keep the answer to 2,000 characters.')).toBeVisible();
    await userEvent.clear(dialog.getByRole('textbox', { name: 'Answer' }));
    await userEvent.type(dialog.getByRole('textbox', { name: 'Answer' }), 'Because.');
    await userEvent.click(dialog.getByRole('button', { name: 'Add to review' }));
    expect(await screen.findByText('1 card')).toBeVisible();
    expect(entry('Why?').getByText('Your own question')).toBeVisible();
    expect([...studyStore.snapshot().cards.values()][0]?.state).toMatchObject({ kind: 'own', content: { value: { question: 'Why?', answer: 'Because.' } } });
  });

  it('changes which words a card hides', async () => {
    const highlight = sampleHighlight({ anchor: { section: 0, start: 0, end: 20, exact: 'I went to the woods.', prefix: '', suffix: '' } });
    const card = sampleCard({
      kind: 'highlight',
      highlightId: 7,
      content: { value: { question: '', answer: '', blanks: [{ start: 14, end: 19 }] }, at: 1 },
      schedule: schedule(),
    });
    await given([card], [highlight]);
    open('/review/cards');
    await userEvent.click(await screen.findByRole('button', { name: 'Edit “I went to the ….”' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Hidden words' }));
    // The id of the sample is not that of the highlight's card.
    expect(dialog.getByRole('button', { name: 'woods', pressed: true })).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: 'went' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says that there are none, and how to begin', async () => {
    open('/review/cards');
    expect(await screen.findByRole('heading', { name: 'No cards yet' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'See your highlights' })).toHaveAttribute('href', '/highlights');
  });

  it('shows more than a hundred in parts', async () => {
    await given(some(103));
    open('/review/cards');
    expect(await screen.findByText('103 cards')).toBeVisible();
    expect(entries()).toHaveLength(100);
    await press('Show more');
    expect(entries()).toHaveLength(103);
  });

  it('says why a card could not be saved', async () => {
    await given(some(1));
    await studyStore.refused('cards', ADA, 1, 0, 'Please write an answer.');
    open('/review/cards');
    expect(await screen.findByText('This card could not be saved: Please write an answer.')).toBeVisible();
  });

  it('says that the cards could not be loaded', async () => {
    isDown = true;
    open('/review/cards');
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
    cleanup();
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    open('/review/cards');
    expect(await screen.findByRole('heading', { name: 'Not on this device' })).toBeVisible();
  });
});
