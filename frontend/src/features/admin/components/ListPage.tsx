import { useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useListKeys } from '@/features/admin/components/useListKeys';
import { totalText } from '@/features/admin/totals';
import type { ListTotal } from '@/features/admin/totals';
import { LinkButton } from '@/ui/Button';

interface Props {
  title: string;
  /** How many items match; undefined while unknown. */
  total?: ListTotal | undefined;
  /** The page that adds an item; the key `n` opens it. */
  add?: { label: string; to: string };
  /** The button that downloads the list. */
  download?: ReactNode;
  /** Search and filters. */
  tools?: ReactNode;
  children: ReactNode;
}

/** The layout of a list page: heading, count, tools, and the keyboard shortcuts of the page. */
export function ListPage({ title, total, add, download, tools, children }: Props) {
  const id = useId();
  const navigate = useNavigate();
  const page = useRef<HTMLDivElement>(null);
  useListKeys((key) => {
    if (key === '/') page.current?.querySelector<HTMLElement>('[data-list-search]')?.focus();
    else if (key === 'n' && add) void navigate(add.to);
    else return false;
    return true;
  });
  return (
    <div role="group" aria-labelledby={id} ref={page}>
      <div className="admin__head">
        <h1 className="page__title" id={id} tabIndex={-1}>
          {title}
        </h1>
        {total === undefined ? null : <p className="admin__total">{totalText(total)}</p>}
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
