import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { RefObject } from 'react';
import { ApiError, loadFailureOf, messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { focusReturned } from '@/features/study/focusReturned';
import { ListEntry } from '@/features/study/lists/components/ListEntry';
import { EntriesSkeleton } from '@/features/study/lists/components/ListsSkeleton';
import { otherListsQuery } from '@/features/study/lists/queries';
import type { FollowedList, OtherLists as Others, TeamList } from '@/features/study/lists/queries';
import { useFocusAfterRemoval } from '@/features/study/lists/useFocusAfterRemoval';
import { followAgainError, setFollowed } from '@/features/study/sharedList/queries';
import { useOnline } from '@/lib/useOnline';
import { paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toast';

const coversOf = (books: FollowedList['books']) =>
  books.map(({ id, title, image, categories }) => ({ key: id, title, image, hue: categories[0]?.hue ?? null }));

/** The lists that the member follows, and those of their team: the server alone knows them. */
export function OtherLists() {
  const { data, error, refetch } = useQuery(otherListsQuery());
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <>
      <section className="lists__section" aria-labelledby="lists-followed">
        <h2 className="lists__heading" id="lists-followed" ref={title} tabIndex={-1}>
          Lists you follow
        </h2>
        {data ? (
          <FollowedLists lists={data.followed} title={title} />
        ) : error ? (
          <OtherListsError
            error={error}
            onRetry={() => {
              // The button is gone once the lists are there.
              title.current?.focus();
              void refetch();
            }}
          />
        ) : (
          <EntriesSkeleton label="Loading the lists you follow" count={2} />
        )}
      </section>
      {data && (data.team.length > 0 || data.seats > 0) ? <TeamLists lists={data.team} /> : null}
    </>
  );
}

function OtherListsError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const online = useOnline();
  if (!online) return <p className="section__empty">You are offline. The lists that you follow and those of your team need a connection.</p>;
  return (
    <div className="lists__failed">
      <Alert kind="warning">{loadFailureOf(error)}</Alert>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

interface FollowedProps {
  lists: readonly FollowedList[];
  /** Takes the focus when the last list is left. */
  title: RefObject<HTMLElement | null>;
}

function FollowedLists({ lists, title }: FollowedProps) {
  const list = useRef<HTMLUListElement>(null);
  const focus = useFocusAfterRemoval(list, title, '.list-entry__leave');
  const leave = useLeave({
    onReturn: (slug) => focusReturned(() => list.current?.querySelector<HTMLElement>(`[data-list="${CSS.escape(slug)}"]`)),
    onRemove: focus,
  });
  if (lists.length === 0) return <p className="section__empty">When you follow a list that another member shares, you find it here, as they keep it.</p>;
  return (
    <ul className="lists__entries" ref={list}>
      {lists.map((one, position) => (
        <ListEntry
          key={one.slug}
          name={one.name}
          to={paths.sharedList(one.slug)}
          count={one.count}
          books={coversOf(one.books)}
          action={
            <button type="button" className="list-entry__leave" data-list={one.slug} aria-label={`Leave ${one.name}`} onClick={() => leave(one, position)}>
              Leave
            </button>
          }
        />
      ))}
    </ul>
  );
}

interface LeaveProps {
  /** Called before an entry is removed from its position. */
  onRemove: (position: number) => void;
  /** Called when a list is followed again. */
  onReturn: (slug: string) => void;
}

const FOLLOWING = ['following'];

/** Whether no other change is still to be saved, which is shown already. */
const isLatest = () => queryClient.isMutating({ mutationKey: FOLLOWING }) === 1;

/** Stops following a list, which is shown at once; what could not be saved is taken back, with the reason. */
function useLeave({ onRemove, onReturn }: LeaveProps) {
  const { queryKey } = otherListsQuery();
  const show = (change: (followed: Others['followed']) => Others['followed']) =>
    queryClient.setQueryData(queryKey, (seen) => seen && { ...seen, followed: change(seen.followed) });
  const putBack = (list: FollowedList, position: number) =>
    show((followed) => (followed.some(({ slug }) => slug === list.slug) ? followed : followed.toSpliced(position, 0, list)));
  /** Lists that are read now may still have one that is being left. */
  const stopReading = () => (isLatest() ? undefined : queryClient.cancelQueries({ queryKey }));
  const follow = useMutation({
    mutationKey: FOLLOWING,
    mutationFn: ({ list }: { list: FollowedList; position: number }) => setFollowed(list.slug, true),
    onMutate: async ({ list, position }) => {
      // What is read since it was left is without it.
      await queryClient.cancelQueries({ queryKey });
      putBack(list, position);
    },
    onSuccess: stopReading,
    onError: (error, { list, position }) => {
      onRemove(position);
      show((followed) => followed.filter(({ slug }) => slug !== list.slug));
      toast(followAgainError(list.name, error));
    },
  });
  const { mutate } = useMutation({
    mutationKey: FOLLOWING,
    mutationFn: ({ list }: { list: FollowedList; position: number }) => setFollowed(list.slug, false),
    onMutate: async ({ list }) => {
      await queryClient.cancelQueries({ queryKey });
      show((followed) => followed.filter(({ slug }) => slug !== list.slug));
    },
    onSuccess: (_, left) => {
      toast(`You no longer follow “${left.list.name}”.`, {
        label: 'Undo',
        run: () => {
          onReturn(left.list.slug);
          follow.mutate(left);
        },
      });
      return stopReading();
    },
    onError: (error, { list, position }) => {
      if (error instanceof ApiError && error.status === 404) {
        // It has another link, with which it comes back, or is private.
        toast(`The link of “${list.name}” has changed. Please try again if you still follow it.`);
      } else {
        putBack(list, position);
        toast(`You still follow “${list.name}”. ${messageOf(error)}`);
      }
      if (isLatest()) void queryClient.invalidateQueries({ queryKey });
    },
  });
  return (list: FollowedList, position: number) => {
    onRemove(position);
    mutate({ list, position });
  };
}

function TeamLists({ lists }: { lists: readonly TeamList[] }) {
  return (
    <section className="lists__section" aria-labelledby="lists-team">
      <h2 className="lists__heading" id="lists-team">
        Your team’s lists
      </h2>
      {lists.length === 0 ? (
        <p className="section__empty">Your team has no list yet. To give it one, open a list of yours and press “Share”.</p>
      ) : (
        <ul className="lists__entries">
          {lists.map(({ id, name, owner, isOwn, count, books }) => (
            <ListEntry
              key={id}
              name={name}
              to={paths.teamList(id)}
              count={count}
              books={coversOf(books)}
              facts={isOwn ? <span>From you</span> : owner === '' ? null : <span>{`From ${owner}`}</span>}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
