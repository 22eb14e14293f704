import '@/shared/study/highlights/highlights.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { NETWORK_FAILURE } from '@/api/errors';
import { nextMoment } from '@/shared/positions/places';
import { accountQuery } from '@/shared/session/account';
import { pictureChunk } from '@/shared/study/highlights/pictureChunk';
import { restored } from '@/shared/study/records';
import type { Highlight } from '@/shared/study/records';
import { useDueCards } from '@/shared/study/review/useDueCards';
import { saveHighlights } from '@/shared/study/saveHighlights';
import { shownHighlights } from '@/shared/study/studyStore';
import { syncStudy } from '@/shared/study/studySync';
import { UNREACHED, useStudyRecords } from '@/shared/study/useStudyRecords';
import { HighlightFilters } from '@/features/study/highlights/components/HighlightFilters';
import { HighlightList } from '@/features/study/highlights/components/HighlightList';
import { HighlightsSkeleton } from '@/features/study/highlights/components/HighlightsSkeleton';
import { sheetChunk } from '@/features/study/highlights/components/sheetChunk';
import { useFilterParams } from '@/lib/useFilterParams';
import { isFocusLost, useFocusInList } from '@/features/study/highlights/useFocusInList';
import { FILTER_NAMES, filterHighlights, filtersIn, isFiltered } from '@/features/study/highlights/filterHighlights';
import type { FilterName } from '@/features/study/highlights/filterHighlights';
import { formatNumber, plural } from '@/lib/format';
import { paths } from '@/paths';
import { Button, LinkButton } from '@/ui/Button';
import { useChunk } from '@/ui/chunk';
import { EmptyState, ErrorState } from '@/ui/State';
import { toast } from '@/ui/toast';

export { loadStudy } from '@/shared/study/useStudyRecords';

/** Leads to the cards that are due, if there are some. */
function ReviewButton({ member }: { member: number }) {
  const { data: user } = useQuery(accountQuery());
  const due = useDueCards(member, user);
  if (due === null || due === 0) return null;
  return (
    <LinkButton kind="primary" to={paths.review}>
      Review {formatNumber(due)} <span className="visually-hidden">{due === 1 ? 'card' : 'cards'}</span>
    </LinkButton>
  );
}

/** The list of a member's highlights with search and filters. */
export function Highlights({ member }: { member: number }) {
  const { records, isWaiting, hasFailed } = useStudyRecords(member, 'highlights');
  const all = useMemo(() => shownHighlights(records), [records]);
  const [params, changeParams] = useFilterParams();
  const { key: entry } = useLocation();
  const filters = filtersIn(params);
  const found = filterHighlights(all, filters);
  const [open, setOpen] = useState<number | null>(null);
  const record = all.find(({ id }) => id === open);
  const sheet = useChunk(sheetChunk, all.length > 0, open ?? 0);
  const [shared, setShared] = useState<number | null>(null);
  const sharedRecord = all.find(({ id }) => id === shared);
  const picture = useChunk(pictureChunk, shared !== null, shared ?? 0);
  const title = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const focus = useFocusInList(list, title, record !== undefined);

  // The button that read again is gone once the highlights are there.
  const hadFailed = useRef(false);
  useEffect(() => {
    if (hadFailed.current && !hasFailed && isFocusLost()) title.current?.focus();
    hadFailed.current = hasFailed;
  }, [hasFailed]);

  const setFilter = (name: FilterName, value: string) =>
    changeParams((params) => {
      if (value === '') params.delete(name);
      else params.set(name, value);
    });
  const clearFilters = () => {
    changeParams((params) => {
      for (const name of FILTER_NAMES) params.delete(name);
    });
    title.current?.focus();
  };
  const remove = (highlight: Highlight) => {
    setOpen(null);
    // Of an open highlight the position is known.
    if (!record) focus.onRemove(highlight.id);
    void saveHighlights([], [highlight]);
    toast('Highlight deleted.', {
      label: 'Undo',
      run: () => {
        focus.onReturn(highlight.id);
        void saveHighlights([restored(highlight, nextMoment())]);
      },
    });
  };

  return (
    <div className="page highlights">
      <h1 className="page__title" ref={title} tabIndex={-1}>
        Highlights
      </h1>
      {isWaiting ? <HighlightsSkeleton /> : null}
      {hasFailed ? (
        // With some highlights below, the page is not missing from this device.
        <ErrorState {...(all.length > 0 ? { message: NETWORK_FAILURE } : { error: UNREACHED })} onRetry={() => void syncStudy()} />
      ) : null}
      {all.length === 0 && !isWaiting && !hasFailed ? (
        <EmptyState
          title="No highlights yet"
          actions={
            <LinkButton kind="primary" to={paths.books}>
              Find a summary
            </LinkButton>
          }
        >
          <p>Select a few words while you read, and they are kept here.</p>
        </EmptyState>
      ) : null}
      {all.length > 0 && !isWaiting ? (
        <>
          <HighlightFilters all={all} filters={filters} onChange={setFilter} />
          <div className="highlights__line">
            <p className="highlights__count tabular" role="status">
              {plural(found.length, 'highlight')}
            </p>
            <Link className="highlights__settings" to={`${paths.studySettings}#export`}>
              Export and settings
            </Link>
            <ReviewButton member={member} />
          </div>
          <div ref={list}>
            {found.length === 0 && isFiltered(filters) ? (
              <EmptyState title="No highlight matches." actions={<Button onClick={clearFilters}>Clear the filters</Button>} />
            ) : (
              <HighlightList
                key={entry}
                entry={entry}
                highlights={found}
                onEdit={({ id }) => {
                  focus.onOpen(id);
                  setOpen(id);
                }}
                onShare={({ id }) => setShared(id)}
                onDelete={remove}
              />
            )}
          </div>
        </>
      ) : null}
      {record && sheet ? (
        <sheet.HighlightSheet
          key={record.id}
          record={record}
          isChanged={record.state.place?.state === 'changed'}
          isNoting={false}
          onClose={() => setOpen(null)}
          onDelete={() => remove(record.state)}
        />
      ) : null}
      {sharedRecord && picture ? <picture.HighlightPicture highlight={sharedRecord.state} onClose={() => setShared(null)} /> : null}
    </div>
  );
}
