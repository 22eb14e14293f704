import { useId } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { formatNumber } from '@/lib/format';
import { LinkButton } from '@/ui/Button';

interface Props {
  title: string;
  /** How many there are in all; undefined while that is not known. */
  count?: number | undefined;
  /** The page that makes a new one, which `n` opens. */
  add?: { label: string; to: string };
  /** What the list is downloaded with. */
  download?: ReactNode;
  /** Search and filters. */
  tools?: ReactNode;
  children: ReactNode;
}

const isTyping = (target: EventTarget) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), select, textarea'));

/** The frame of a list: heading, count, tools, and the keys that work anywhere on it. */
export function ListPage({ title, count, add, download, tools, children }: Props) {
  const id = useId();
  const navigate = useNavigate();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const page = event.currentTarget;
    if (event.key === '/') page.querySelector<HTMLElement>('[data-list-search]')?.focus();
    else if (event.key === 'n' && add) void navigate(add.to);
    else if (event.key === 'j') page.querySelector<HTMLElement>('.data-table tbody tr[data-index="0"] :is(a[href], button)')?.focus();
    else return;
    event.preventDefault();
  };
  return (
    // The keys work anywhere on this page, and only there.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it handles only keys that its controls do not
    <div role="group" aria-labelledby={id} onKeyDown={onKeyDown}>
      <div className="admin__head">
        <h1 className="page__title" id={id} tabIndex={-1}>
          {title}
        </h1>
        {count === undefined ? null : <p className="admin__total">{formatNumber(count)}</p>}
        {download ? <div className="admin__download">{download}</div> : null}
        {add ? (
          <LinkButton className="admin__add" kind="primary" to={add.to} aria-keyshortcuts="n">
            {add.label}
          </LinkButton>
        ) : null}
      </div>
      {tools ? <div className="admin__tools">{tools}</div> : null}
      {children}
    </div>
  );
}
