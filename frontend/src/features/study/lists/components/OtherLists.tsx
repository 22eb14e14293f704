import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { RefObject } from 'react';
import { loadFailureOf, messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { ListEntry } from '@/features/study/lists/components/ListEntry';
import { EntriesSkeleton } from '@/features/study/lists/components/ListsSkeleton';
import { otherListsQuery } from '@/features/study/lists/queries';
import type { FollowedList, OtherLists as Others, TeamList } from '@/features/study/lists/queries';
import { useFocusAfterRemoval } from '@/features/study/lists/useFocusAfterRemoval';
import { setFollowed } from '@/features/study/sharedList/queries';
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
          <NotLoaded
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

function NotLoaded({ error, onRetry }: { error: unknown; onRetry: () => void }) {
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
  const leave = useLeave();
  if (lists.length === 0) return <p className="section__empty">When you follow a list that another member shares, you find it here, as they keep it.</p>;
  return (
    <ul className="lists__entries" ref={list}>
      {lists.map((one, position) => (
        <ListEntry
          key={one.address}
          name={one.name}
          to={paths.sharedList(one.address)}
          count={one.count}
          books={coversOf(one.books)}
          action={
            <button
              type="button"
              className="list-entry__leave"
              aria-label={`Leave ${one.name}`}
              onClick={() => {
                focus(position);
                leave(one, position);
              }}
            >
              Leave
            </button>
          }
        />
      ))}
    </ul>
  );
}

/** Stops following a list, which is shown at once; what could not be saved is taken back, with the reason. */
function useLeave() {
  const { queryKey } = otherListsQuery();
  const show = (change: (followed: Others['followed']) => Others['followed']) =>
    queryClient.setQueryData(queryKey, (seen) => seen && { ...seen, followed: change(seen.followed) });
  const putBack = (list: FollowedList, position: number) =>
    show((followed) => (followed.some(({ address }) => address === list.address) ? followed : followed.toSpliced(position, 0, list)));
  const follow = useMutation({
    mutationFn: ({ list }: { list: FollowedList; position: number }) => setFollowed(list.address, true),
    onMutate: ({ list, position }) => void putBack(list, position),
    onError: (error, { list }) => {
      show((followed) => followed.filter(({ address }) => address !== list.address));
      toast(`You do not follow “${list.name}” again. ${messageOf(error)}`);
    },
  });
  const { mutate } = useMutation({
    mutationFn: ({ list }: { list: FollowedList; position: number }) => setFollowed(list.address, false),
    onMutate: async ({ list }) => {
      await queryClient.cancelQueries({ queryKey });
      show((followed) => followed.filter(({ address }) => address !== list.address));
    },
    onSuccess: (_, left) => void toast(`You no longer follow “${left.list.name}”.`, { label: 'Undo', run: () => follow.mutate(left) }),
    onError: (error, { list, position }) => {
      putBack(list, position);
      toast(`You still follow “${list.name}”. ${messageOf(error)}`);
    },
  });
  return (list: FollowedList, position: number) => mutate({ list, position });
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
