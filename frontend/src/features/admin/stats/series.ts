// The figures and charts of a period, computed from the server's daily counts.
import { formatMoney, formatNumber } from '@/lib/format';
import type { ChartProps, Tone } from '@/features/admin/stats/chart';
import type { Figure } from '@/features/admin/stats/Figures';
import { dayLabel } from '@/features/admin/stats/range';
import type { Stats, StatsDay } from '@/features/admin/stats/queries';
import { amountText } from '@/features/admin/money/amounts';
import { onFirstUse } from '@/lib/onFirstUse';

type Counted = Exclude<keyof StatsDay, 'day'>;

const sum = (days: readonly StatsDay[], of: Counted): number => days.reduce((total, day) => total + day[of], 0);
const last = (days: readonly StatsDay[], of: Counted): number | null => days.at(-1)?.[of] ?? null;

/** 0.1234 → '12.3%' */
export const formatShare = (share: number): string => `${(share * 100).toLocaleString('en-US', { maximumFractionDigits: share > 0 && share < 0.1 ? 1 : 0 })}%`;
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Cents → dollars without decimals: '$1,250' */
export const formatDollars = (cents: number): string => `$${formatNumber(Math.round(cents / 100))}`;

export function figuresOf({ now, days, before, churn, funnel }: Stats, isCompared: boolean): Figure[] {
  const then = (value: number | null) => (isCompared ? value : null);
  return [
    { id: 'mrr', label: 'Monthly recurring revenue', value: now.mrr, before: then(last(before, 'mrr')), format: formatDollars },
    {
      id: 'revenue',
      label: 'Revenue',
      value: sum(days, 'revenue') - sum(days, 'refunds'),
      before: then(sum(before, 'revenue') - sum(before, 'refunds')),
      format: formatDollars,
      note: 'After refunds',
    },
    { id: 'paying', label: 'Paying members', value: now.paying, before: then(last(before, 'paying')), format: formatNumber },
    { id: 'trials', label: 'Trials', value: now.trials, before: then(last(before, 'trials')), format: formatNumber, better: 'neither' },
    { id: 'members', label: 'Members', value: now.members, before: then(last(before, 'members')), format: formatNumber },
    {
      id: 'churn',
      label: 'Churn',
      value: share(churn.ended, churn.paying),
      before: then(churn.before && share(churn.before.ended, churn.before.paying)),
      format: formatShare,
      better: 'less',
      note: `${formatNumber(churn.ended)} of ${formatNumber(churn.paying)} ended`,
    },
    {
      id: 'conversion',
      label: 'Sign-up to paid',
      value: share(funnel.paid, funnel.signups),
      before: then(funnel.before && share(funnel.before.paid, funnel.before.signups)),
      format: formatShare,
    },
  ];
}

/** From this number of days on, labels include the year. */
const YEARS = 200;

type DayChart = Omit<ChartProps, 'title' | 'file' | 'note'>;

/** One figure by day, with the previous period as a paler line. `kind` decides whether its figure is a sum or the last value. */
export function byDay(stats: Stats, of: Counted, isCompared: boolean, kind: 'count' | 'level' | 'money' | 'moneyLevel'): DayChart {
  const isMoney = kind === 'money' || kind === 'moneyLevel';
  const isLevel = kind === 'level' || kind === 'moneyLevel';
  const format = isMoney ? formatMoney : formatNumber;
  const figure = (days: readonly StatsDay[]) => (isMoney ? formatDollars : formatNumber)(isLevel ? (last(days, of) ?? 0) : sum(days, of));
  const { days, before } = stats;
  return {
    at: days.map(({ day }) => dayLabel(day, days.length > YEARS)),
    format,
    ...(isMoney && { axis: formatDollars, raw: amountText }),
    series: [
      ...(isCompared && before.length > 0
        ? [
            {
              id: 'before',
              label: 'Previous period',
              tone: 'before' as const,
              values: days.map((_, index) => before[index]?.[of] ?? null),
              figure: figure(before),
            },
          ]
        : []),
      { id: 'now', label: 'This period', tone: 'main', values: days.map((day) => day[of]), figure: figure(days) },
    ],
  };
}

/** Sign-ups and finished books, two lines on one scale. */
export function signupsAndCompletions({ days }: Stats): DayChart {
  const line = (of: Counted, label: string, tone: Tone) => ({ id: of, label, tone, values: days.map((day) => day[of]), figure: formatNumber(sum(days, of)) });
  return {
    at: days.map(({ day }) => dayLabel(day, days.length > YEARS)),
    format: formatNumber,
    series: [line('completions', 'Summaries finished', 'second'), line('signups', 'Sign-ups', 'main')],
  };
}

/** How many plans have their own color; the rest are combined. */
const COLOURS = 5;
/** From this number of days on, bars are months. */
const MONTHS_FROM = 93;
const WEEKS_FROM = 46;

const month = onFirstUse(() => new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' }));

/** The label of the bar that a day belongs to: the day, its week or its month. */
function barOf(day: string, days: number): string {
  if (days > MONTHS_FROM) return month().format(Date.parse(day));
  if (days <= WEEKS_FROM) return dayLabel(day);
  const at = Date.parse(day);
  const monday = at - ((new Date(at).getUTCDay() + 6) % 7) * 86_400_000;
  return `Week of ${dayLabel(new Date(monday).toISOString().slice(0, 10))}`;
}

/** Revenue by plan as stacked bars: by day, week or month, depending on the length of the period. */
export function revenueByPlan({ revenueByPlan: plans, revenueDays }: Stats): DayChart {
  const shown = plans.filter(({ amount }) => amount > 0).sort((a, b) => b.amount - a.amount);
  const named = shown.slice(0, shown.length > COLOURS + 1 ? COLOURS : COLOURS + 1);
  const others = shown.slice(named.length);
  const bars = new Map<string, Record<string, number>>();
  for (const { day, amounts } of revenueDays) {
    const label = barOf(day, revenueDays.length);
    const bar = bars.get(label) ?? {};
    for (const [planId, amount] of Object.entries(amounts)) {
      const key = named.some((plan) => plan.planId === planId) ? planId : 'others';
      bar[key] = (bar[key] ?? 0) + amount;
    }
    bars.set(label, bar);
  }
  const parts = [
    ...named.map(({ planId, planName, amount }) => ({ id: planId, label: planName, amount })),
    ...(others.length > 0 ? [{ id: 'others', label: 'Others', amount: others.reduce((total, { amount }) => total + amount, 0) }] : []),
  ];
  return {
    at: [...bars.keys()],
    format: formatMoney,
    axis: formatDollars,
    raw: amountText,
    stacked: true,
    series: parts.map(({ id, label, amount }, index) => ({
      id,
      label,
      kind: 'bar' as const,
      tone: String(index + 1) as Tone,
      values: [...bars.values()].map((bar) => bar[id] ?? 0),
      figure: formatDollars(amount),
    })),
  };
}

export interface Step {
  label: string;
  value: number;
  /** As a share of the first step. */
  ofFirst: number;
  /** As a share of the previous step; null for the first. */
  ofBefore: number | null;
  before: number | null;
}

/** The funnel from visit to sign-up to first payment. */
export function stepsOf({ funnel }: Stats, isCompared: boolean): Step[] {
  const steps = [
    { label: 'Visits', of: 'visits' },
    { label: 'Sign-ups', of: 'signups' },
    { label: 'Paid', of: 'paid' },
  ] as const;
  return steps.map(({ label, of }, index) => {
    const previous = steps[index - 1];
    return {
      label,
      value: funnel[of],
      ofFirst: share(funnel[of], funnel.visits),
      ofBefore: previous ? share(funnel[of], funnel[previous.of]) : null,
      before: isCompared ? (funnel.before?.[of] ?? null) : null,
    };
  });
}
