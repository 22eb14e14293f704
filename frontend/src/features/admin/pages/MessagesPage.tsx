import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { call } from '@/api/client';
import { messageOf } from '@/api/errors';
import { queryClient } from '@/api/queryClient';
import { ListSearch } from '@/features/admin/components/ListSearch';
import { MessageRow } from '@/features/admin/components/MessageRow';
import { useListKeys } from '@/features/admin/components/useListKeys';
import { RowsSkeleton } from '@/features/admin/components/RowsSkeleton';
import { KINDS, KINDS_ABOUT, inboxView, messagesFilter } from '@/features/admin/filters';
import type { InboxView, MessageKind } from '@/features/admin/filters';
import { forAdmins, messagesKey, messagesQuery, overviewQuery } from '@/features/admin/queries';
import type { Message } from '@/features/admin/queries';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/features/admin/paths';
import { Alert } from '@/ui/Alert';
import { Button, LinkButton } from '@/ui/Button';
import { SelectField } from '@/ui/Field';
import { LoadMore } from '@/ui/LoadMore';
import { Segmented } from '@/ui/Segmented';
import { EmptyState, ErrorState } from '@/ui/State';
import { toast } from '@/ui/toast';

export const loader = ({ request }: LoaderFunctionArgs) =>
  forAdmins(() => queryClient.infiniteQuery(messagesQuery(messagesFilter(inboxView(new URL(request.url).searchParams)))));

const ABOUT = [
  { value: 'questions', label: 'Questions' },
  { value: 'leaving', label: 'Reasons for leaving' },
] as const;
const SHOW = [
  { value: 'open', label: 'Open' },
  { value: 'done', label: 'Done' },
  { value: 'all', label: 'All' },
] as const;

/** The loaded pages with one message updated, or removed if the filter no longer matches. */
const changed = <P extends { messages: Message[] }, K>(
  seen: InfiniteData<P, K> | undefined,
  message: Message,
  stays: boolean,
): InfiniteData<P, K> | undefined =>
  seen && {
    ...seen,
    pages: seen.pages.map((page) => ({
      ...page,
      messages: page.messages.flatMap((one) => (one.id === message.id ? (stays ? [message] : []) : [one])),
    })),
  };

/** /admin/messages: the inbox, operable by keyboard alone. */
export function Component() {
  useTitle(ROUTES.adminMessages.title);
  const [search, setSearch] = useSearchParams();
  const view = inboxView(search);
  const query = messagesQuery(messagesFilter(view));
  const pages = useInfiniteQuery(query);
  const { data, dataUpdatedAt, error, refetch, hasNextPage } = pages;
  const messages = data?.pages.flatMap((page) => page.messages) ?? [];
  const [openId, setOpenId] = useState<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  /** The row that had the focus when its message was marked, and its index. */
  const leaving = useRef<{ id: number; place: number } | null>(null);

  const show = (next: Partial<InboxView>) => {
    const { about, shown, kind, q } = { ...view, ...next };
    setOpenId(null);
    const isShown = about === 'questions' && shown !== 'open';
    setSearch({ ...(about === 'leaving' && { about }), ...(isShown && { show: shown }), ...(kind && { kind }), ...(q && { q }) }, { replace: true });
  };

  const rows = () => [...(list.current?.querySelectorAll<HTMLButtonElement>('.inbox__row') ?? [])];
  const placeOf = (element: Element | null) => rows().findIndex((row) => row.closest('li')?.contains(element) === true);

  const mark = useMutation({
    mutationFn: ({ message, done }: { message: Message; done: boolean }) =>
      call('PUT /api/admin/messages/{id}', { path: { id: String(message.id) }, body: { done } }),
    onMutate: async ({ message, done }) => {
      await queryClient.cancelQueries({ queryKey: query.queryKey });
      const before = queryClient.getQueryData(query.queryKey);
      const stays = view.shown === 'all';
      queryClient.setQueryData(query.queryKey, (seen) => changed(seen, { ...message, doneAt: done ? Date.now() : null }, stays));
      return { before, key: query.queryKey };
    },
    onSuccess: (_, { done }) => {
      toast(done ? 'Marked as done.' : 'Moved back to the inbox.');
      void queryClient.invalidateQueries({ queryKey: overviewQuery().queryKey });
      void queryClient.invalidateQueries({ queryKey: messagesKey(), refetchType: 'none' });
    },
    onError: (_error, _marked, kept) => kept && queryClient.setQueryData(kept.key, kept.before),
  });

  // An answered message is done, so it leaves the list of open ones.
  const setAnswered = (message: Message) => {
    const place = placeOf(document.activeElement);
    queryClient.setQueryData(query.queryKey, (seen) => changed(seen, message, view.shown !== 'open'));
    void queryClient.invalidateQueries({ queryKey: overviewQuery().queryKey });
    void queryClient.invalidateQueries({ queryKey: messagesKey(), refetchType: 'none' });
    if (view.shown !== 'open') return;
    setOpenId(null);
    leaving.current = { id: message.id, place: Math.max(place, 0) };
  };

  const setDone = (message: Message, done: boolean) => {
    const place = placeOf(document.activeElement);
    mark.mutate({ message, done });
    if (place < 0 || view.shown === 'all') return;
    // The row is removed: the next one expands if this one was expanded.
    const following = messages[place + 1] ?? messages[place - 1];
    setOpenId((open) => (open === message.id ? (following?.id ?? null) : open));
    leaving.current = { id: message.id, place };
  };

  // The focus is lost with its row: it moves to the row that takes its position.
  useEffect(() => {
    const { current } = leaving;
    if (!current || data?.pages.some((page) => page.messages.some(({ id }) => id === current.id))) return;
    leaving.current = null;
    const left = list.current?.querySelectorAll<HTMLButtonElement>('.inbox__row') ?? [];
    (left[Math.min(current.place, left.length - 1)] ?? title.current)?.focus();
  }, [data]);

  const go = (step: 1 | -1) => {
    const all = rows();
    const from = placeOf(document.activeElement);
    const place = from < 0 ? 0 : Math.min(Math.max(from + step, 0), all.length - 1);
    all[place]?.focus();
    // The next message expands too.
    if (openId !== null) setOpenId(messages[place]?.id ?? null);
  };

  const page = useRef<HTMLDivElement>(null);
  useListKeys((key) => {
    if (key === '/') page.current?.querySelector<HTMLElement>('[data-list-search]')?.focus();
    else if (key === 'j') go(1);
    else if (key === 'k') go(-1);
    else if (key === 'e') {
      const message = messages[placeOf(document.activeElement)];
      if (message && view.about === 'questions') setDone(message, message.doneAt === null);
    } else return false;
    return true;
  });

  return (
    <div role="group" aria-labelledby="inbox" ref={page}>
      <div className="admin__head">
        <h1 className="page__title" id="inbox" ref={title} tabIndex={-1}>
          Inbox
        </h1>
        <LinkButton className="admin__add" to={paths.adminReasons}>
          Reasons in numbers
        </LinkButton>
      </div>
      <div className="admin__tools">
        <ListSearch label="Search the inbox" />
        <Segmented
          legend="Messages"
          name="about"
          options={ABOUT}
          value={view.about}
          onChange={(about) => show({ about, kind: null, shown: about === 'leaving' ? 'all' : 'open' })}
        />
        {view.about === 'questions' ? <Segmented legend="Show" name="show" options={SHOW} value={view.shown} onChange={(shown) => show({ shown })} /> : null}
        <SelectField label="Kind" value={view.kind ?? ''} onChange={({ target }) => show({ kind: target.value === '' ? null : (target.value as MessageKind) })}>
          <option value="">All kinds</option>
          {KINDS_ABOUT[view.about].map((kind) => (
            <option key={kind} value={kind}>
              {KINDS[kind]}
            </option>
          ))}
        </SelectField>
        <p className="admin__keys" aria-label="Keys">
          <kbd>j</kbd> next <kbd>k</kbd> previous <kbd>Enter</kbd> read
          {view.about === 'questions' ? (
            <>
              {' '}
              <kbd>e</kbd> done
            </>
          ) : null}
        </p>
      </div>
      {mark.isError ? (
        <div className="admin__failure">
          <Alert kind="harm">{`The message could not be marked. ${messageOf(mark.error)}`}</Alert>
        </div>
      ) : null}
      {!data && error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <RowsSkeleton label="Loading the inbox" /> : null}
      {data && messages.length === 0 && !hasNextPage ? <NoResults view={view} onAll={() => show({ shown: 'all', kind: null, q: '' })} /> : null}
      {messages.length > 0 ? (
        <ul className="inbox" ref={list}>
          {messages.map((message) => (
            <MessageRow
              key={message.id}
              message={message}
              now={dataUpdatedAt}
              open={openId === message.id}
              onToggle={() => setOpenId((open) => (open === message.id ? null : message.id))}
              onDone={(done) => setDone(message, done)}
              onAnswered={setAnswered}
            />
          ))}
        </ul>
      ) : null}
      <LoadMore list={pages}>Load More</LoadMore>
    </div>
  );
}

function NoResults({ view, onAll }: { view: InboxView; onAll: () => void }) {
  if (view.about === 'leaving' && view.kind === null && view.q === '') {
    return (
      <EmptyState title="Nobody has left yet">
        <p>Why members cancel a plan or delete their account is listed here. No reply is needed.</p>
      </EmptyState>
    );
  }
  if (view.shown === 'open' && view.kind === null && view.q === '') {
    return (
      <EmptyState title="All caught up" actions={<Button onClick={onAll}>Show all messages</Button>}>
        <p>Messages from the contact form, suggestions and feedback arrive here.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No messages match"
      actions={view.shown === 'all' && view.kind === null && view.q === '' ? null : <Button onClick={onAll}>Show all messages</Button>}
    >
      <p>{view.q === '' ? 'There are no messages of this kind.' : `No message contains “${view.q}”.`}</p>
    </EmptyState>
  );
}
