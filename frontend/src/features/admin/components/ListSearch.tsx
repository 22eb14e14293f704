import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useDebounced } from '@/lib/useDebounced';
import { Icon } from '@/ui/Icon';

/** A list's search field, stored in the URL as `q`. The key `/` focuses it. */
export function ListSearch({ label }: { label: string }) {
  const [search, setSearch] = useSearchParams();
  const inUrl = search.get('q') ?? '';
  const [text, setText] = useState(inUrl);
  const [known, setKnown] = useState(inUrl);
  // Changed by another link, or by going back in the history.
  if (inUrl !== known) {
    setKnown(inUrl);
    if (inUrl !== text.trim()) setText(inUrl);
  }
  const query = useDebounced(text.trim());
  const apply = useEffectEvent((q: string) => {
    if (q === inUrl || q !== text.trim()) return;
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (q) next.set('q', q);
        else next.delete('q');
        return next;
      },
      { replace: true },
    );
  });
  useEffect(() => apply(query), [query]);
  return (
    <div className="list-search">
      <Icon name="search" />
      <input
        className="input list-search__input"
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={text}
        data-list-search
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setText(target.value)}
      />
    </div>
  );
}
