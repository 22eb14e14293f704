import { useEffect, useEffectEvent } from 'react';
import { useDebounced } from '@/lib/useDebounced';
import { useFilterParams } from '@/lib/useFilterParams';
import { useSearchText } from '@/lib/useSearchText';
import { Icon } from '@/ui/Icon';

/** A list's search field, stored in the URL as `q`. The key `/` focuses it. */
export function ListSearch({ label }: { label: string }) {
  const [search, change] = useFilterParams();
  const inUrl = search.get('q') ?? '';
  const { text, setText, searched, sent } = useSearchText(inUrl);
  const query = useDebounced(text.trim());
  const apply = useEffectEvent((q: string) => {
    if (q === searched || q !== text.trim()) return;
    sent(q);
    change((next) => {
      if (q) next.set('q', q);
      else next.delete('q');
    });
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
