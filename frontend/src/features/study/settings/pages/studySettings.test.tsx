import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/queryClient';
import { session } from '@/api/session';
import { Component } from '@/features/study/settings/pages/StudySettingsPage';
import { saveFile } from '@/lib/saveFile';
import type { StudySettings } from '@/shared/study/settings';
import { copiesOwner } from '@/shared/offline/copiesOwner';
import { storedDailyMax } from '@/shared/study/dailyMax';
import { areCommitmentsOff } from '@/shared/study/settings';
import { areHighlightsOff } from '@/shared/study/studyFlags';
import { Toaster } from '@/ui/toast';
import { failure, on, server } from '@test/server';
import { sampleStudySettings } from '@test/study';

vi.mock('@/lib/saveFile', () => ({ saveFile: vi.fn() }));

let settings: StudySettings;
/** The bodies that were sent, in order. */
let sent: unknown[];

beforeEach(() => {
  queryClient.clear();
  session.start('token');
  copiesOwner.set(7);
  sent = [];
  settings = sampleStudySettings();
  server.use(
    on('GET /api/study/webhook', () => ({ webhook: null })),
    on('GET /api/study/settings', () => ({ settings })),
    on('PUT /api/study/settings', ({ body }) => {
      sent.push(body);
      settings = { ...settings, ...(body as Partial<StudySettings>) };
      return { settings };
    }),
  );
});
afterEach(() => session.end('left'));

function show() {
  return render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Component />
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

describe('/study-settings (study.study-switches)', () => {
  it('switches a part off and on again', async () => {
    show();
    const highlights = await screen.findByRole('checkbox', { name: 'Highlights in the text' });
    expect(highlights).toBeChecked();
    await userEvent.click(highlights);
    await waitFor(() => expect(settings).toMatchObject({ hasHighlights: false, countsInPopular: true, showsPopular: true }));
    expect(highlights).not.toBeChecked();
    expect(areHighlightsOff()).toBe(true);
    await userEvent.click(highlights);
    await waitFor(() => expect(settings.hasHighlights).toBe(true));
    expect(areHighlightsOff()).toBe(false);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Popular passages' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Count mine, without my name' }));
    await waitFor(() => expect(settings).toMatchObject({ hasHighlights: true, countsInPopular: false, showsPopular: false }));
  });

  it('switches the questions about commitments off, which this device remembers (study.commitment-askings)', async () => {
    show();
    const asks = await screen.findByRole('checkbox', { name: 'Ask me what became of it' });
    expect(asks).toBeChecked();
    await userEvent.click(asks);
    await waitFor(() => expect(settings.asksCommitments).toBe(false));
    expect(sent).toEqual([{ asksCommitments: false }]);
    expect(areCommitmentsOff()).toBe(true);
    expect(screen.getByRole('link', { name: /^My Progress/ })).toHaveAttribute('href', '/my-progress#commitments');
  });

  it('saves two quick switches one after the other, and shows both meanwhile', async () => {
    const answers: (() => void)[] = [];
    server.use(
      on('PUT /api/study/settings', async ({ body }) => {
        sent.push(body);
        await new Promise<void>((resolve) => answers.push(resolve));
        settings = { ...settings, ...(body as Partial<StudySettings>) };
        return { settings };
      }),
    );
    show();
    const [popular, mine] = [await screen.findByRole('checkbox', { name: 'Popular passages' }), screen.getByRole('checkbox', { name: /^Count mine/ })];
    await userEvent.click(popular);
    await userEvent.click(mine);
    await waitFor(() => expect(answers).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sent).toEqual([{ showsPopular: false }]);
    answers[0]?.();
    await waitFor(() => expect(answers).toHaveLength(2));
    expect([popular, mine].map((one) => (one as HTMLInputElement).checked)).toEqual([false, false]);
    answers[1]?.();
    await waitFor(() => expect(settings).toMatchObject({ showsPopular: false, countsInPopular: false }));
    expect([popular, mine].map((one) => (one as HTMLInputElement).checked)).toEqual([false, false]);
  });

  it('takes back a switch that could not be saved, and leaves the one after it', async () => {
    server.use(
      on('PUT /api/study/settings', ({ body }) => {
        if ('showsPopular' in (body as object)) return failure(500, 'internal_error', 'Something went wrong.');
        settings = { ...settings, ...(body as Partial<StudySettings>) };
        return { settings };
      }),
    );
    show();
    const [popular, mine] = [await screen.findByRole('checkbox', { name: 'Popular passages' }), screen.getByRole('checkbox', { name: /^Count mine/ })];
    await userEvent.click(popular);
    await userEvent.click(mine);
    await waitFor(() => expect(settings.countsInPopular).toBe(false));
    await waitFor(() => expect(popular).toBeChecked());
    expect(mine).not.toBeChecked();
  });

  it('takes back what could not be saved, and says why', async () => {
    server.use(on('PUT /api/study/settings', () => failure(500, 'internal_error', 'Something went wrong.')));
    show();
    const shown = await screen.findByRole('checkbox', { name: 'Popular passages' });
    await userEvent.click(shown);
    expect(await screen.findByText(/went wrong/)).toBeVisible();
    expect(shown).toBeChecked();
  });

  it('says that the settings could not be loaded, and tries again', async () => {
    server.use(on('GET /api/study/settings', () => failure(422, 'validation_failed', 'Something went wrong.')));
    show();
    const again = await screen.findByRole('button', { name: 'Try again' }, { timeout: 5000 });
    server.resetHandlers();
    server.use(on('GET /api/study/settings', () => ({ settings })));
    await userEvent.click(again);
    expect(await screen.findByRole('checkbox', { name: 'Popular passages' })).toBeChecked();
  });
});

describe('the review in /study-settings', () => {
  const field = () => screen.findByRole('textbox', { name: 'Cards a day' });
  const type = async (text: string) => {
    await userEvent.clear(await field());
    await userEvent.type(await field(), text);
  };

  it('saves how many cards a day asks, once, and this device remembers it (study.daily-maximum)', async () => {
    show();
    expect(await field()).toHaveValue('20');
    await type('35');
    await userEvent.tab();
    await waitFor(() => expect(sent).toEqual([{ dailyMax: 35 }]));
    await waitFor(() => expect(storedDailyMax(7)).toBe(35));
    expect(await field()).toHaveValue('35');
    expect(await field()).toHaveAccessibleDescription('5 to 200');
  });

  it('saves it without leaving the field, when the number stays the same for a while', async () => {
    show();
    await field();
    const more = screen.getByRole('button', { name: 'One more' });
    await userEvent.click(more);
    await userEvent.click(more);
    await waitFor(() => expect(sent).toEqual([{ dailyMax: 22 }]));
  });

  it('saves it when the page is left at once', async () => {
    const { unmount } = show();
    await field();
    await userEvent.click(screen.getByRole('button', { name: 'One fewer' }));
    unmount();
    await waitFor(() => expect(sent).toEqual([{ dailyMax: 19 }]));
  });

  it.each(['4', '201', ' '])('does not save %j, and says at the field why', async (text) => {
    show();
    await type(text);
    expect(screen.queryByText(/^Choose from/)).toBeNull();
    await userEvent.tab();
    expect(screen.getByText('Choose from 5 to 200 cards a day.')).toBeVisible();
    expect(await field()).toBeInvalid();
    expect(await field()).toHaveAccessibleDescription('5 to 200 Choose from 5 to 200 cards a day.');
    await type('6');
    expect(screen.queryByText(/^Choose from/)).toBeNull();
    await userEvent.tab();
    await waitFor(() => expect(sent).toEqual([{ dailyMax: 6 }]));
  });

  it('shows at the field why the server has refused the number', async () => {
    const reason = 'Choose from 5 to 200 cards a day.';
    server.use(on('PUT /api/study/settings', () => failure(422, 'validation_failed', reason, { field: 'dailyMax' })));
    show();
    await type('50');
    await userEvent.tab();
    await waitFor(async () => expect(await field()).toHaveAccessibleDescription(`5 to 200 ${reason}`));
    expect(await field()).toHaveValue('50');
    expect(screen.getAllByText(reason)).toHaveLength(1);
    expect(storedDailyMax(7)).toBe(20);
  });

  it('takes the number back when it could not be saved', async () => {
    server.use(on('PUT /api/study/settings', () => failure(500, 'internal_error', 'Something went wrong.')));
    show();
    await type('50');
    await userEvent.tab();
    expect(await screen.findByText(/went wrong/)).toBeVisible();
    expect(await field()).toHaveValue('20');
    expect(await field()).toBeValid();
  });

  it('switches off that reviews count for the streak (study.review-streak)', async () => {
    show();
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Reviews count for my streak' }));
    await waitFor(() => expect(sent).toEqual([{ countsForStreak: false }]));
  });

  it('leads to the review and to all cards', () => {
    show();
    expect(screen.getByRole('link', { name: /^Review\s?The cards/ })).toHaveAttribute('href', '/review');
    expect(screen.getByRole('link', { name: /^Review cards/ })).toHaveAttribute('href', '/review/cards');
    expect(screen.getByRole('link', { name: /^API tokens/ })).toHaveAttribute('href', '/api-tokens');
    const titles = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(titles).toEqual(['In the reader', 'Review', 'Commitments', 'Reminder and mail', 'Export', 'Webhook']);
  });
});

describe('the export in /study-settings (study.free-exports)', () => {
  const file = (name: string) => new Response('file', { headers: { 'Content-Disposition': `attachment; filename="${name}"` } });

  it('offers highlights in three formats, and the review cards with their schedule for Anki', () => {
    show();
    const names = screen.getAllByRole('button', { name: /^Download/ }).map((button) => button.getAttribute('aria-label'));
    expect(names).toEqual([
      'Download your highlights as Markdown',
      'Download your highlights as CSV',
      'Download your highlights as JSON',
      'Download your review cards for Anki',
    ]);
    expect(screen.getByText('Your review cards for Anki. To keep their schedule, choose “Import any learning progress” there.')).toBeVisible();
  });

  it('saves the file of the format under the server’s name', async () => {
    const formats: (string | null)[] = [];
    server.use(
      on('GET /api/study/export', ({ request }) => {
        formats.push(new URL(request.url).searchParams.get('format'));
        return file('cards-2026-03-14.apkg');
      }),
    );
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Download your review cards for Anki' }));
    await waitFor(() => expect(saveFile).toHaveBeenCalledWith(expect.any(Blob), 'cards-2026-03-14.apkg'));
    expect(formats).toEqual(['anki']);
  });

  it('says at its row why a file could not be made', async () => {
    server.use(on('GET /api/study/export', () => failure(429, 'too_many_requests', 'Please wait a while.')));
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Download your review cards for Anki' }));
    expect(await screen.findByText('Please wait a while.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Download your review cards for Anki' })).toBeVisible();
  });
});
