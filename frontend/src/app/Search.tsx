import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ComponentType } from 'react';
import { searchState } from '@/app/searchState';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';

const load = () => import(/* webpackChunkName: "search" */ '@/features/catalogue/search/SearchDialog');

/** Whether the focus is in a text field, where a slash is typed text. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** The search dialog; `/` and Ctrl-K (⌘K) open it on every page. */
export function Search() {
  const open = useSyncExternalStore(searchState.subscribe, searchState.isOpen, () => false);
  const [SearchDialog, setSearchDialog] = useState<ComponentType<{ onClose: () => void }> | null>(null);
  // Not `lazy`, which requests the chunk only once: after a network failure the next press retries.
  useEffect(() => {
    if (!open || SearchDialog) return;
    let isWanted = true;
    load().then(
      (module) => isWanted && setSearchDialog(() => module.default),
      () => {
        if (!isWanted) return;
        searchState.set(false);
        toast('Search could not be loaded. Check your connection and try again.');
      },
    );
    return () => {
      isWanted = false;
    };
  }, [open, SearchDialog]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const combined = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
      const slash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
      // Not while another dialog is open.
      if (event.defaultPrevented || !(combined || slash) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      searchState.set(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return open && SearchDialog ? <SearchDialog onClose={() => searchState.set(false)} /> : null;
}

/** The header's search button. The dialog's chunk is preloaded on hover or focus. */
export function SearchButton() {
  const fetchIt = () => void load().catch(() => undefined);
  return (
    <button
      type="button"
      className="header__search"
      aria-label="Search"
      aria-keyshortcuts="/ Control+K"
      aria-haspopup="dialog"
      onPointerEnter={fetchIt}
      onFocus={fetchIt}
      onClick={() => searchState.set(true)}
    >
      <Icon name="search" />
      <span className="header__search-text">Search</span>
      <kbd className="header__search-key" aria-hidden="true">
        /
      </kbd>
    </button>
  );
}
