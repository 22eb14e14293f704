import { useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { useSearchParams } from 'react-router';
import { NETWORK_FAILURE } from '@/api/errors';
import { plural } from '@/lib/format';
import { ROUTES, paths } from '@/paths';
import { pauseCard, removeCard, restoreCard } from '@/shared/study/cardChanges';
import type { ReviewCard } from '@/shared/study/records';
import { useReviewRules } from '@/shared/study/review/useReviewRules';
import { syncStudy } from '@/shared/study/studySync';
import { UNREACHED, useStudyRecords } from '@/shared/study/useStudyRecords';
import { CardEntry } from '@/features/study/review/components/CardEntry';
import { dialogsChunk } from '@/features/study/review/components/dialogsChunk';
import { RecordSearch } from '@/features/study/components/RecordSearch';
import { CardsSkeleton } from '@/features/study/review/components/CardsSkeleton';
import { FreeLimit } from '@/features/study/review/components/ReviewStates';
import { isEditable } from '@/features/study/review/cards';
import { listedCards } from '@/features/study/review/listedCards';
import { Button, LinkButton } from '@/ui/Button';
import { useChunk } from '@/ui/chunk';
import { Icon } from '@/ui/Icon';
import { LoadMore } from '@/ui/LoadMore';
import { EmptyState, ErrorState } from '@/ui/State';
import { toast } from '@/ui/toast';

/** How many cards are shown at first, and more at each press. */
const PART = 100;

export { loadStudy } from '@/shared/study/useStudyRecords';

/** All cards of a member (study.review-screen). */
export function Cards({ member }: { member: number }) {
  const { records, isWaiting, hasFailed } = useStudyRecords(member, 'cards');
  const { zone, today, freeLimit } = useReviewRules(member);
  const [params, setParams] = useSearchParams();
  const query = params.get('q') ?? '';
  const all = listedCards({ records, zone, today, freeLimit, query: '' });
  const found = query.trim() === '' ? all : listedCards({ records, zone, today, freeLimit, query });
  const [shown, setShown] = useState(PART);
  /** The card that is edited; 'new' for a new question. */
  const [open, setOpen] = useState<ReviewCard | 'new' | null>(null);
  const dialogs = useChunk(dialogsChunk, !isWaiting, open === null ? 0 : open === 'new' ? 1 : open.id);
  const title = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const focus = useFocusAfterRemoval(list, title);

  const search = (q: string) => {
    setShown(PART);
    setParams(q === '' ? {} : { q }, { replace: true, preventScrollReset: true });
  };
  const remove = (card: ReviewCard) => {
    focus(card.id);
    void removeCard(card);
    toast('Card deleted.', { label: 'Undo', run: () => void restoreCard(card) });
  };
  const more = {
    hasNextPage: shown < found.length,
    isFetchingNextPage: false,
    isFetchNextPageError: false,
    error: null,
    fetchNextPage: () => {
      setShown(shown + PART);
      return Promise.resolve();
    },
  };
  return (
    <div className="page review-cards">
      <div className="review-cards__head">
        <h1 className="page__title" ref={title} tabIndex={-1}>
          {ROUTES.reviewCards.title}
        </h1>
        {isWaiting ? null : (
          <p className="review-cards__head-actions">
            <Button onClick={() => setOpen('new')}>
              <Icon name="plus" />
              New question
            </Button>
            {all.length > 0 ? (
              <LinkButton kind="primary" to={paths.review}>
                Review
              </LinkButton>
            ) : null}
          </p>
        )}
      </div>
      {isWaiting ? <CardsSkeleton /> : null}
      {hasFailed ? (
        // With some cards below, the page is not missing from this device.
        <ErrorState {...(all.length > 0 ? { message: NETWORK_FAILURE } : { error: UNREACHED })} onRetry={() => void syncStudy()} />
      ) : null}
      {all.length === 0 && !isWaiting && !hasFailed ? (
        <EmptyState
          title="No cards yet"
          actions={
            <LinkButton kind="primary" to={paths.highlights}>
              See your highlights
            </LinkButton>
          }
        >
          <p>At the end of a summary you can add its key ideas. A highlight becomes a question with one press.</p>
        </EmptyState>
      ) : null}
      {all.length > 0 && !isWaiting ? (
        <>
          <RecordSearch label="Search your cards" value={query} onSearch={search} />
          <p className="review-cards__count tabular" role="status">
            {plural(found.length, 'card')}
          </p>
          <FreeLimit facts={all.map(({ asked }) => asked.facts)} freeLimit={freeLimit} />
          {found.length === 0 ? (
            <EmptyState
              title="No card matches."
              actions={
                <Button
                  onClick={() => {
                    search('');
                    title.current?.focus();
                  }}
                >
                  Show all cards
                </Button>
              }
            />
          ) : (
            <ul className="review-cards__list" ref={list}>
              {found.slice(0, shown).map((listed) => {
                const { card } = listed.asked;
                return (
                  <CardEntry
                    key={card.id}
                    listed={listed}
                    onEdit={isEditable(card, records.highlights) ? () => setOpen(card) : null}
                    onPause={() => void pauseCard(card, !card.paused.value)}
                    onDelete={() => remove(card)}
                  />
                );
              })}
            </ul>
          )}
          <LoadMore list={more} remaining={found.length - shown}>
            Show more
          </LoadMore>
        </>
      ) : null}
      {open === 'new' && dialogs ? <dialogs.OwnCardDialog card={null} onClose={() => setOpen(null)} /> : null}
      {open !== null && open !== 'new' && dialogs ? <dialogs.CardDialog card={open} highlights={records.highlights} onClose={() => setOpen(null)} /> : null}
    </div>
  );
}

/** Moves the focus from a deleted card to the one that takes its position, or to the title after the last one. */
function useFocusAfterRemoval(list: RefObject<HTMLElement | null>, title: React.RefObject<HTMLElement | null>): (id: number) => void {
  const position = useRef<number | null>(null);
  const entries = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [])];
  useLayoutEffect(() => {
    const at = position.current;
    if (at === null) return;
    position.current = null;
    const left = entries();
    const button = left[Math.min(at, left.length - 1)]?.querySelector<HTMLElement>('.card-entry__delete');
    (button ?? title.current)?.focus();
  });
  return (id) => {
    position.current = Math.max(
      0,
      entries().findIndex(({ dataset }) => dataset['card'] === String(id)),
    );
  };
}
