import { useEffect, useRef } from 'react';
import { useSearchText } from '@/lib/useSearchText';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';

/** Debounce time of the search field, in milliseconds. */
const REST = 300;

interface Props {
  value: string;
  /** Called with another search than the one before. */
  onSearch: (q: string) => void;
}

/** Searches while typing, debounced; Enter searches at once. Follows changes of the URL (going back, a link). */
export function SearchField({ value, onSearch }: Props) {
  const { text: typed, setText: setTyped, searched, sent } = useSearchText(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => () => clearTimeout(timer.current), []);

  const search = (q: string, wait: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (q.trim() === searched) return;
      sent(q.trim());
      onSearch(q.trim());
    }, wait);
  };

  return (
    <form
      className="search"
      role="search"
      action="/books"
      onSubmit={(event) => {
        event.preventDefault();
        search(typed, 0);
      }}
    >
      <label className="visually-hidden" htmlFor="book-search">
        Search titles, authors and ideas
      </label>
      <Icon name="search" />
      <input
        ref={input}
        id="book-search"
        className="input search__input"
        type="search"
        name="q"
        placeholder="Search titles, authors and ideas"
        autoComplete="off"
        enterKeyHint="search"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          search(event.target.value, REST);
        }}
      />
      {typed ? (
        <IconButton
          className="search__clear"
          icon="close"
          label="Clear the search"
          onClick={() => {
            setTyped('');
            search('', 0);
            input.current?.focus();
          }}
        />
      ) : null}
    </form>
  );
}
