import '@/features/catalogue/search/search.css';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { call } from '@/api/client';
import { loadFailureOf } from '@/api/errors';
import { viewer } from '@/api/queryClient';
import { groupsOf, summaryOf } from '@/features/catalogue/search/options';
import type { Group, Option } from '@/features/catalogue/search/options';
import { clearSearches, storeSearch, recentSearches } from '@/shared/catalogue/recentSearches';
import { useDebounced } from '@/lib/useDebounced';
import { paths } from '@/paths';
import { BookCover } from '@/ui/BookCard';
import { Button, LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';
import { MarkedText } from '@/ui/MarkedText';
import { SkeletonText } from '@/ui/Skeleton';

const searchQuery = (q: string) =>
  queryOptions({
    queryKey: [viewer(), 'search', q],
    queryFn: ({ signal }) => call('GET /api/search', { query: { q }, signal }),
  });

/** Search as you type, over all kinds of content: a combobox in a dialog. */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const navigate = useNavigate();
  const { key } = useLocation();
  const [openedAt] = useState(key);
  const [text, setText] = useState('');
  const [active, setActive] = useState<string | null>(null);
  const [recent, setRecent] = useState(recentSearches);
  const typed = text.trim().replace(/\s+/g, ' ').slice(0, 200);
  const q = useDebounced(typed);
  const found = useQuery({ ...searchQuery(q), enabled: q !== '', placeholderData: keepPreviousData });

  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  useEffect(() => {
    if (key !== openedAt) onClose();
  }, [key, openedAt, onClose]);

  const isAsked = typed !== '';
  const groups: Group[] = isAsked
    ? found.data && q !== ''
      ? groupsOf(found.data, q)
      : []
    : [{ title: 'Recent searches', options: recent.map((label, i): Option => ({ kind: 'recent', id: `recent-${i}`, to: paths.search(label), label })) }];
  const options = groups.flatMap((group) => group.options);
  const current = options.find(({ id }) => id === active) ?? null;
  const isWaiting = isAsked && (q !== typed || found.isFetching);
  const isFailed = isAsked && found.isError && !isWaiting;

  /** The first Escape clears the field, the next one closes the dialog. */
  const empty = () => {
    setText('');
    setActive(null);
  };
  const go = (option: Option) => {
    if (option.kind === 'recent' || option.kind === 'offer') {
      setText(option.kind === 'offer' ? option.text : option.label);
      setActive(null);
      field.current?.focus();
      return;
    }
    storeSearch(typed);
    onClose();
    void navigate(option.to);
  };
  const move = (by: number) => {
    if (options.length === 0) return;
    const at = current ? options.indexOf(current) : by > 0 ? -1 : options.length;
    const next = options[(at + by + options.length) % options.length];
    setActive(next?.id ?? null);
    // The option's element exists already: only its highlight changes.
    list.current?.querySelector(`[data-option="${CSS.escape(next?.id ?? '')}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (current) go(current);
      else if (isAsked) go({ kind: 'all', id: 'all', to: paths.search(typed), label: typed });
    } else if (event.key === 'Escape' && isAsked) {
      event.preventDefault();
      empty();
    }
  };

  return (
    // Escape does the same as a press on the backdrop; the dialog itself is not a control.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      className="search-dialog"
      aria-label="Search"
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault();
        if (isAsked) empty();
        else onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="search-dialog__body">
        <div className="search-dialog__field">
          <Icon name="search" />
          <input
            ref={field}
            className="search-dialog__input"
            type="text"
            role="combobox"
            aria-label="Search titles, authors and ideas"
            aria-expanded={options.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={current ? `${listId}-${current.id}` : undefined}
            placeholder="Search titles, authors and ideas"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="search"
            maxLength={200}
            // The dialog is opened in order to type.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setActive(null);
            }}
            onKeyDown={onKeyDown}
          />
          <IconButton icon="close" label="Close" onClick={onClose} />
        </div>
        {/* The list is scrolled with the arrow keys in the field. */}
        <div
          ref={list}
          role="listbox"
          id={listId}
          aria-label={isAsked ? 'Results' : 'Recent searches'}
          aria-busy={isWaiting}
          hidden={isFailed || options.length === 0}
          className={isWaiting && found.data ? 'search-dialog__found search-dialog__found--waiting' : 'search-dialog__found'}
        >
          {isFailed
            ? null
            : groups
                .filter((group) => group.options.length > 0)
                .map((group) => (
                  <div key={group.title} role="group" aria-label={group.title || 'More'} className="search-dialog__group">
                    {group.title ? (
                      <p className="search-dialog__title" aria-hidden="true">
                        {group.title}
                      </p>
                    ) : null}
                    {group.notice ? (
                      <p className="search-dialog__notice" aria-hidden="true">
                        {group.notice}
                      </p>
                    ) : null}
                    {group.options.map((option) => (
                      <OptionRow key={option.id} option={option} id={`${listId}-${option.id}`} active={option.id === active} onPick={go} onPoint={setActive} />
                    ))}
                  </div>
                ))}
        </div>
        {isFailed ? (
          <div className="search-dialog__found search-dialog__state" role="alert">
            <p>{loadFailureOf(found.error)}</p>
            <Button onClick={() => void found.refetch()}>Try again</Button>
          </div>
        ) : isWaiting && options.length === 0 ? (
          <div className="search-dialog__found">
            <ResultsSkeleton />
          </div>
        ) : isAsked && !isWaiting && options.length === 0 ? (
          <div className="search-dialog__found search-dialog__state">
            <p className="search-dialog__nothing">{`Nothing found for “${typed}”`}</p>
            <p>Try fewer or different words; small typos are fine.</p>
            <LinkButton kind="secondary" to={paths.suggestTitle(typed)}>
              Suggest this book
            </LinkButton>
          </div>
        ) : !isAsked && recent.length === 0 ? (
          <p className="search-dialog__found search-dialog__state">A title, an author, an idea, or a few words you remember.</p>
        ) : !isAsked ? (
          <div className="search-dialog__foot">
            <Button
              kind="quiet"
              onClick={() => {
                clearSearches();
                setRecent([]);
              }}
            >
              Clear these searches
            </Button>
          </div>
        ) : null}
        <p className="search-dialog__keys" aria-hidden="true">
          <kbd>↑</kbd> <kbd>↓</kbd> to choose <kbd>Enter</kbd> to open <kbd>Esc</kbd> to close
        </p>
        <p className="visually-hidden" role="status">
          {isAsked && !isWaiting && !isFailed ? summaryOf(groups) : ''}
        </p>
      </div>
    </dialog>
  );
}

interface RowProps {
  option: Option;
  id: string;
  active: boolean;
  onPick: (option: Option) => void;
  onPoint: (id: string) => void;
}

/** A search result: a link, so that it can be opened in another tab, and an option of the combobox. */
function OptionRow({ option, id, active, onPick, onPoint }: RowProps) {
  return (
    <Link
      to={option.to}
      role="option"
      id={id}
      data-option={option.id}
      aria-selected={active}
      tabIndex={-1}
      className={`search-option search-option--${option.kind}`}
      onPointerMove={() => {
        if (!active) onPoint(option.id);
      }}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onPick(option);
      }}
    >
      <OptionContent option={option} />
    </Link>
  );
}

const ICONS = { recent: 'clock', all: 'search', suggest: 'send', offer: 'search' } as const;

function OptionContent({ option }: { option: Option }) {
  if (option.kind === 'book') {
    const { book } = option;
    return (
      <>
        <span className="search-option__cover">
          <BookCover book={book} eager />
        </span>
        <span className="search-option__text">
          <span className="search-option__label">{book.title}</span>
          <span className="search-option__hint">{book.author}</span>
          {book.match?.section?.title ? <span className="search-option__section">{`In “${book.match.section.title}”`}</span> : null}
          {book.match?.passage ? (
            <span className="search-option__passage">
              <MarkedText text={book.match.passage} />
            </span>
          ) : null}
        </span>
      </>
    );
  }
  if (option.kind === 'name') {
    return (
      <>
        {option.image ? <img className="search-option__image" src={option.image} alt="" width="40" height="40" /> : null}
        <span className="search-option__text">
          <span className="search-option__label">{option.label}</span>
          {option.hint ? <span className="search-option__hint">{option.hint}</span> : null}
        </span>
      </>
    );
  }
  return (
    <>
      <Icon name={ICONS[option.kind]} />
      <span className="search-option__text">
        <span className="search-option__label">{option.label}</span>
      </span>
    </>
  );
}

const ResultsSkeleton = () => (
  <div className="search-dialog__waiting" aria-hidden="true">
    {[70, 50, 60].map((width) => (
      <div key={width} className="search-option">
        <span className="skeleton search-option__cover" />
        <span className="search-option__text">
          <SkeletonText width={width} />
          <SkeletonText width={width - 20} />
        </span>
      </div>
    ))}
  </div>
);
