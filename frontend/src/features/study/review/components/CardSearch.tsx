import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useDebounced } from '@/lib/useDebounced';
import { Icon } from '@/ui/Icon';

interface Props {
  /** The search in the URL. */
  value: string;
  onSearch: (q: string) => void;
}

/** The search field of the cards. It follows changes of the URL, by a link or by going back. */
export function CardSearch({ value, onSearch }: Props) {
  const [text, setText] = useState(value);
  const [followed, setFollowed] = useState(value);
  const id = useId();
  if (value !== followed) {
    setFollowed(value);
    if (value !== text.trim()) setText(value);
  }
  const query = useDebounced(text.trim());
  const apply = useEffectEvent((q: string) => {
    if (q !== value && q === text.trim()) onSearch(q);
  });
  useEffect(() => apply(query), [query]);
  return (
    <search className="review-cards__search">
      <label className="visually-hidden" htmlFor={id}>
        Search your cards
      </label>
      <Icon name="search" />
      <input
        id={id}
        className="input review-cards__search-input"
        type="search"
        placeholder="Search your cards"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </search>
  );
}
