import '@/features/study/components/recordSearch.css';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import { useDebounced } from '@/lib/useDebounced';
import { useSearchText } from '@/lib/useSearchText';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';

interface Props {
  /** What is searched, such as 'Search your highlights'. */
  label: string;
  /** The search in the URL. */
  value: string;
  onSearch: (q: string) => void;
}

/** The search field of a page of the member's records. It follows changes of the URL, by a link or by going back. */
export function RecordSearch({ label, value, onSearch }: Props) {
  const { text, setText, searched, sent } = useSearchText(value);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const query = useDebounced(text.trim());
  const apply = useEffectEvent((q: string) => {
    if (q === searched || q !== text.trim()) return;
    sent(q);
    onSearch(q);
  });
  useEffect(() => apply(query), [query]);
  return (
    <search className="record-search">
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <Icon name="search" />
      <input
        ref={input}
        id={id}
        className="input record-search__input"
        type="search"
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {text ? (
        <IconButton
          className="record-search__clear"
          icon="close"
          label="Clear the search"
          onClick={() => {
            setText('');
            input.current?.focus();
          }}
        />
      ) : null}
    </search>
  );
}
