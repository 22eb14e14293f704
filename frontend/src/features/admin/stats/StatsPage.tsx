import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { CsvButton } from '@/features/admin/components/CsvButton';
import { PageError } from '@/features/admin/components/PageError';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { amountText } from '@/features/admin/money/amounts';
import { forAdmins } from '@/features/admin/queries';
import { Chart } from '@/features/admin/stats/Chart';
import { Figures } from '@/features/admin/stats/Figures';
import { RangeTools } from '@/features/admin/stats/RangeTools';
import { ReadersOfBook } from '@/features/admin/stats/ReadersOfBook';
import { Section } from '@/features/admin/stats/Section';
import { Share } from '@/features/admin/stats/Share';
import { statsQuery } from '@/features/admin/stats/queries';
import type { Stats } from '@/features/admin/stats/queries';
import { periodBefore, rangeOf, rangeText } from '@/features/admin/stats/range';
import type { Range } from '@/features/admin/stats/range';
import { byDay, figuresOf, formatShare, revenueByPlan, signupsAndCompletions, stepsOf } from '@/features/admin/stats/series';
import { formatMoment, formatNumber, isoDate } from '@/lib/format';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { onFirstUse } from '@/lib/onFirstUse';
import '@/features/admin/stats/stats.css';

export const loader = ({ request }: LoaderFunctionArgs) =>
  forAdmins(() => queryClient.query(statsQuery(rangeOf(new URL(request.url).searchParams, Date.now()))));

/** /admin/stats: business figures by day, compared with the previous period. */
export function Component() {
  useTitle(ROUTES.adminStats.title);
  const [search] = useSearchParams();
  const [now] = useState(() => Date.now());
  const range = rangeOf(search, now);
  const isCompared = search.get('compare') !== 'off';
  const { data, error, refetch, isPlaceholderData } = useQuery(statsQuery(range));
  return (
    <div className="stats" aria-busy={isPlaceholderData}>
      <div className="admin__head">
        <h1 className="page__title" tabIndex={-1}>
          Stats
        </h1>
        <p className="admin__total">
          {rangeText(range)}
          {data?.countedAt && range.to >= isoDate(now) ? `, counted ${formatMoment(data.countedAt)}` : ''}
        </p>
        {data ? <span className="admin__add">{<CsvButton file={`stats-${range.from}-${range.to}`} about="All days" rows={() => csvOf(data)} />}</span> : null}
      </div>
      {data?.madeUp ? <p className="admin__total stats__made-up">Demo: the members and orders of this year are made up.</p> : null}
      <div className="admin__tools stats__range">
        <RangeTools range={range} before={periodBefore(range)} today={isoDate(now)} />
      </div>
      {data ? (
        <Charts stats={data} range={range} isCompared={isCompared} />
      ) : error ? (
        <PageError error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label="Loading the stats" />
      )}
    </div>
  );
}

/** Each day with all figures; money in dollars. */
function csvOf({ days }: Stats): string[][] {
  return [
    ['Day', 'Visits', 'Sign-ups', 'First payments', 'Ended', 'Members', 'Paying', 'Trials', 'MRR', 'Revenue', 'Refunds', 'Summaries finished'],
    ...days.map((day) => [
      day.day,
      ...[day.visits, day.signups, day.subscriptions, day.ended, day.members, day.paying, day.trials].map(String),
      ...[day.mrr, day.revenue, day.refunds].map(amountText),
      String(day.completions),
    ]),
  ];
}

function Charts({ stats, range, isCompared }: { stats: Stats; range: Range; isCompared: boolean }) {
  const file = (name: string) => `${name}-${range.from}-${range.to}`;
  return (
    <>
      <Figures label="Figures" figures={figuresOf(stats, isCompared)} />
      <div className="stats__charts">
        <Chart title="Monthly recurring revenue" file={file('mrr')} {...byDay(stats, 'mrr', isCompared, 'moneyLevel')} />
        <Chart title="Revenue by plan" file={file('revenue-by-plan')} {...revenueByPlan(stats)} empty="Nothing was charged in this period." />
        <Chart title="Paying members" file={file('paying-members')} {...byDay(stats, 'paying', isCompared, 'level')} />
        <Chart title="Sign-ups" file={file('sign-ups')} {...byDay(stats, 'signups', isCompared, 'count')} />
        <Chart title="Sign-ups and finished summaries" file={file('sign-ups-and-completions')} {...signupsAndCompletions(stats)} />
        <Conversion stats={stats} isCompared={isCompared} file={file('conversion')} />
        <TopBooks stats={stats} isCompared={isCompared} file={file('top-books')} />
        <ReadersOfBook range={range} first={stats.topBooks[0] ?? null} />
        <Cohorts stats={stats} file={file('cohorts')} />
      </div>
    </>
  );
}

const th = (text: ReactNode, end = false) => (
  <th scope="col" className={end ? 'data-table__cell--end' : undefined}>
    {text}
  </th>
);

function Conversion({ stats, isCompared, file }: { stats: Stats; isCompared: boolean; file: string }) {
  const steps = stepsOf(stats, isCompared);
  return (
    <Section
      title="From visit to payment"
      empty={stats.funnel.visits + stats.funnel.signups === 0 ? 'Nobody visited in this period.' : null}
      csv={{
        file,
        rows: () => [
          ['Step', 'Number', 'Previous period'],
          ...steps.map(({ label, value, before }) => [label, String(value), before === null ? '' : String(before)]),
        ],
      }}
    >
      <table className="data-table">
        <caption className="visually-hidden">From visit to payment</caption>
        <thead>
          <tr>
            {th('Step')}
            {th('Number', true)}
            {isCompared ? th('Before', true) : null}
            {th('Of the previous step', true)}
            <td className="stats__bar-head" />
          </tr>
        </thead>
        <tbody>
          {steps.map(({ label, value, before, ofFirst, ofBefore }) => (
            <tr key={label}>
              <th scope="row" className="stats__row-title">
                {label}
              </th>
              <td className="data-table__cell--end">{formatNumber(value)}</td>
              {isCompared ? <td className="data-table__cell--end data-table__faint">{before === null ? '–' : formatNumber(before)}</td> : null}
              <td className="data-table__cell--end">{ofBefore === null ? '' : formatShare(ofBefore)}</td>
              <td className="stats__bar">
                <Share of={ofFirst} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function TopBooks({ stats: { topBooks }, isCompared, file }: { stats: Stats; isCompared: boolean; file: string }) {
  const most = Math.max(1, ...topBooks.map(({ opened }) => opened));
  return (
    <Section
      title="Top books"
      empty={topBooks.length === 0 ? 'No book was opened in this period.' : null}
      csv={{
        file,
        rows: () => [
          ['Book', 'Title', 'Opened', 'Finished', 'Opened previously'],
          ...topBooks.map(({ subid, title, opened, completed, before }) => [subid, title, String(opened), String(completed), String(before)]),
        ],
      }}
    >
      <table className="data-table">
        <caption className="visually-hidden">Top books</caption>
        <thead>
          <tr>
            {th('Title')}
            {th('Opened', true)}
            {isCompared ? th('Before', true) : null}
            {th('Finished', true)}
            <td className="stats__bar-head" />
          </tr>
        </thead>
        <tbody>
          {topBooks.map(({ id, title, opened, completed, before }) => (
            <tr key={id}>
              <th scope="row" className="stats__row-title">
                <Link className="data-table__title" to={paths.adminBookEdit(id)}>
                  {title}
                </Link>
              </th>
              <td className="data-table__cell--end">{formatNumber(opened)}</td>
              {isCompared ? <td className="data-table__cell--end data-table__faint">{formatNumber(before)}</td> : null}
              <td className="data-table__cell--end">{formatNumber(completed)}</td>
              <td className="stats__bar">
                <Share of={opened / most} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

const month = onFirstUse(() => new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' }));

/** Retention by cohort: of the members who first paid in a month, how many paid at the end of it and of the months after (admin.payment-cohorts). */
function Cohorts({ stats: { cohorts }, file }: { stats: Stats; file: string }) {
  const columns = Math.max(0, ...cohorts.map(({ paid }) => paid.length));
  const after = Array.from({ length: columns }, (_, index) => index);
  return (
    <Section
      whole
      title="Still paying, month by month"
      note="Of the members whose first payment for a subscription was in a month, how many paid at the end of that month (0) and of the months after it."
      empty={cohorts.length === 0 ? 'Nobody has paid yet.' : null}
      csv={{
        file,
        rows: () => [['Month', 'First payments', ...after.map(String)], ...cohorts.map(({ month: of, size, paid }) => [of, String(size), ...paid.map(String)])],
      }}
    >
      {/* A scrollable region must be focusable, so that the keyboard can scroll it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="cohorts" role="region" aria-label="Still paying, month by month, as a table" tabIndex={0}>
        <table className="data-table">
          <caption className="visually-hidden">Still paying, month by month</caption>
          <thead>
            <tr>
              {th('Month')}
              {th('First payments', true)}
              {after.map((months) => (
                <th key={months} scope="col" className="cohorts__head">
                  {months}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cohorts.map(({ month: of, size, paid }) => (
              <tr key={of}>
                <th scope="row" className="stats__row-title">
                  {month().format(Date.parse(`${of}-01`))}
                </th>
                <td className="data-table__cell--end">{formatNumber(size)}</td>
                {after.map((months) => {
                  const kept = paid[months];
                  if (kept === undefined) return <td key={months} />;
                  const percent = size === 0 ? 0 : (kept / size) * 100;
                  return (
                    <td
                      key={months}
                      className="cohorts__cell"
                      style={{ ['--kept' as string]: Math.round(percent) }}
                      title={`${formatNumber(kept)} of ${formatNumber(size)}`}
                    >
                      {`${Math.round(percent)}%`}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
