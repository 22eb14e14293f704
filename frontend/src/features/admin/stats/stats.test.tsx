import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { byDay, figuresOf, formatShare, revenueByPlan, stepsOf } from '@/features/admin/stats/series';
import { saveFile } from '@/lib/saveFile';
import { signInAs } from '@test/admin';
import { openApp } from '@test/app';
import { sampleDay, sampleStats } from '@test/money';
import { failure, on, server } from '@test/server';

// jsdom has no layout, so nothing would be drawn. The tables have the same figures.
vi.mock('@/features/admin/stats/Plot', () => ({ default: () => null }));
vi.mock('@/lib/saveFile', () => ({ saveFile: vi.fn() }));

describe('the figures of a period', () => {
  const of = (id: string, isCompared = true) => figuresOf(sampleStats(), isCompared).find((figure) => figure.id === id);

  it('count what happened in it, and tell of levels the last one', () => {
    expect(of('revenue')).toMatchObject({ value: 5999 + 999 + 5999 - 500, before: 3 * 5999 });
    expect(of('mrr')).toMatchObject({ value: 28_000, before: 25_000 });
    expect(of('churn')).toMatchObject({ value: 0.04, before: 0.1, better: 'less' });
    expect(of('conversion')).toMatchObject({ value: 0.25, before: 0.5 });
  });

  it('are not compared when that is not wanted', () => {
    expect(figuresOf(sampleStats(), false).every(({ before }) => before === null)).toBe(true);
    expect(byDay(sampleStats(), 'signups', false, 'count').series.map(({ id }) => id)).toEqual(['now']);
  });

  it('stand day by day beside the days before', () => {
    const { at, series } = byDay(sampleStats(), 'signups', true, 'count');
    expect(at).toEqual(['Mar 12', 'Mar 13', 'Mar 14']);
    expect(series.map(({ id, values, figure }) => [id, values, figure])).toEqual([
      ['before', [1, 2, 3], '6'],
      ['now', [4, 6, 2], '12'],
    ]);
  });

  it('have no share of nothing', () => {
    const empty = sampleStats({ funnel: { visits: 0, signups: 0, paid: 0, before: null }, churn: { ended: 0, paying: 0, before: null } });
    expect(stepsOf(empty, true).map(({ ofFirst }) => ofFirst)).toEqual([0, 0, 0]);
    expect(figuresOf(empty, true).find(({ id }) => id === 'churn')).toMatchObject({ value: 0, before: null });
    expect([0, 0.0312, 0.25, 1].map(formatShare)).toEqual(['0%', '3.1%', '25%', '100%']);
  });
});

describe('revenue by plan', () => {
  it('has the plan that brought most first, and every day', () => {
    const { at, series } = revenueByPlan(sampleStats());
    expect(at).toHaveLength(3);
    expect(series.map(({ label, values }) => [label, values])).toEqual([
      ['Yearly', [5999, 0, 5999]],
      ['Monthly', [0, 999, 0]],
    ]);
  });

  it('has weeks and months of long periods, and one colour for the plans that bring least', () => {
    const plans = Array.from({ length: 8 }, (_, index) => ({ planId: `p${index}`, planName: `Plan ${index}`, amount: 100 - index, before: 0 }));
    const days = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        day: new Date(Date.UTC(2026, 0, 5) + index * 86_400_000).toISOString().slice(0, 10),
        amounts: { p0: 1, p6: 2, p7: 3 },
      }));
    const weeks = revenueByPlan(sampleStats({ revenueByPlan: plans, revenueDays: days(56) }));
    expect(weeks.at.slice(0, 2)).toEqual(['Week of Jan 5', 'Week of Jan 12']);
    expect(weeks.series.map(({ label }) => label)).toEqual(['Plan 0', 'Plan 1', 'Plan 2', 'Plan 3', 'Plan 4', 'Others']);
    expect(weeks.series[0]?.values[0]).toBe(7);
    expect(weeks.series.at(-1)?.values[0]).toBe(35);
    expect(revenueByPlan(sampleStats({ revenueByPlan: plans, revenueDays: days(120) })).at.slice(0, 2)).toEqual(['Jan 2026', 'Feb 2026']);
  });
});

describe('/admin/stats', () => {
  const type = userEvent.setup();
  let app: ReturnType<typeof openApp>;
  afterEach(() => app.close());
  const serve = (stats = sampleStats()) => {
    const asked: string[] = [];
    signInAs('admin');
    server.use(
      on('GET /api/admin/stats', ({ request }) => {
        asked.push(new URL(request.url).search);
        return stats;
      }),
      on('GET /api/admin/stats/books/{bookId}', () => ({
        id: 4,
        title: 'Emma',
        readers: 40,
        completed: 10,
        sections: [
          { place: 0, title: 'Highbury', reached: 40 },
          { place: 1, title: 'Box Hill', reached: 18 },
        ],
      })),
    );
    return asked;
  };

  it('shows figures with their change, a table behind each chart, and where readers stop', async () => {
    serve();
    app = openApp('/admin/stats?from=2026-03-12&to=2026-03-14');
    const figures = await screen.findByLabelText('Figures');
    expect(figures).toHaveTextContent(
      'Monthly recurring revenue$280+12% compared with the previous period: $250Renewals of running subscriptions, a month’s part',
    );
    const table = screen.getByRole('table', { name: 'Sign-ups', hidden: true });
    expect(
      within(table)
        .getAllByRole('row', { hidden: true })
        .map(({ textContent }) => textContent),
    ).toEqual(['WhenPrevious periodThis period', 'Mar 1214', 'Mar 1326', 'Mar 1432']);
    const steps = screen.getByRole('table', { name: 'From visit to payment' });
    expect(within(steps).getAllByRole('row')[3]).toHaveTextContent('Paid3325%');
    const readers = await screen.findByRole('table', { name: 'Readers of Emma by key idea' });
    expect(within(readers).getAllByRole('row')[2]).toHaveTextContent('2. Box Hill1845%');
    expect(screen.getByRole('cell', { name: '75%' })).toHaveAttribute('title', '15 of 20');
  });

  it('says while figures are made up (`admin.made-up-figures`)', async () => {
    serve(sampleStats({ madeUp: true }));
    app = openApp('/admin/stats');
    expect(await screen.findByText('Demo: the members and orders of this year are made up.')).toBeVisible();
  });

  it('keeps days and comparison in the URL', async () => {
    const asked = serve();
    app = openApp('/admin/stats?from=2026-03-12&to=2026-03-14');
    await screen.findByRole('table', { name: 'Top books' });
    expect(asked).toEqual(['?from=2026-03-12&to=2026-03-14']);
    await type.click(screen.getByRole('checkbox', { name: /^Compare with Mar 9/ }));
    expect(app.at()).toBe('/admin/stats?from=2026-03-12&to=2026-03-14&compare=off');
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Before' })).toBeNull());
    await type.click(screen.getByRole('radio', { name: '7 days' }));
    expect(app.at()).toBe('/admin/stats?days=7&compare=off');
    await waitFor(() => expect(asked).toHaveLength(2));
  });

  it('gives a chart as a file, with plain numbers', async () => {
    serve(sampleStats({ days: [sampleDay('2026-03-14', { mrr: 1_234_567 })], before: [] }));
    app = openApp('/admin/stats?from=2026-03-14&to=2026-03-14');
    await type.click(await screen.findByRole('button', { name: 'CSV: Monthly recurring revenue' }));
    const [blob, name] = vi.mocked(saveFile).mock.lastCall ?? [];
    expect(name).toBe('mrr-2026-03-14-2026-03-14.csv');
    expect(await blob?.text()).toBe('When,This period\r\nMar 14,12345.67\r\n');
  });

  it('says where there is nothing yet', async () => {
    serve(sampleStats({ revenueByPlan: [], revenueDays: [], cohorts: [], topBooks: [], funnel: { visits: 0, signups: 0, paid: 0, before: null } }));
    app = openApp('/admin/stats');
    expect(await screen.findByText('Nothing was charged in this period.')).toBeVisible();
    for (const text of [
      'Nobody visited in this period.',
      'No book was opened in this period.',
      'Nobody has paid yet.',
      'No book was opened in this period. Choose one to see its readers.',
    ])
      expect(screen.getByText(text)).toBeVisible();
  });

  it('shows why it could not be loaded, and tries again', async () => {
    signInAs('admin');
    server.use(on('GET /api/admin/stats', () => failure(500, 'internal', 'It broke.')));
    app = openApp('/admin/stats');
    expect(await screen.findByRole('alert')).toHaveTextContent('It broke.');
    serve();
    await type.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('table', { name: 'Top books' })).toBeVisible();
  });
});
