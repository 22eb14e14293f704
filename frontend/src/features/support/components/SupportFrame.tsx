import '@/features/support/support.css';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { site } from '@/lib/site';
import { paths } from '@/paths';
import { Icon } from '@/ui/Icon';

const OTHERS = [
  { to: paths.contact, label: 'Contact us' },
  { to: paths.suggest, label: 'Suggest a book' },
  { to: paths.feedback, label: 'Tell us what you think' },
] as const;

interface Props {
  title: string;
  lead: string;
  /** The path of this page: only the other pages are linked. */
  here: string;
  children: ReactNode;
}

/** The layout of the contact pages: the form, and links to the other pages. */
export function SupportFrame({ title, lead, here, children }: Props) {
  return (
    <div className="page support">
      <div className="support__main">
        <h1 className="page__title">{title}</h1>
        <p className="page__lead">{lead}</p>
        {children}
      </div>
      <aside className="support__side" aria-label="Other ways to reach us">
        <h2 className="support__side-title">Other ways</h2>
        <ul className="support__ways">
          {site.supportEmail ? (
            <li>
              <a className="support__way" href={`mailto:${site.supportEmail}`}>
                <Icon name="send" />
                <span className="support__way-text">{site.supportEmail}</span>
              </a>
            </li>
          ) : null}
          {site.supportPhone ? (
            <li>
              <a className="support__way" href={`tel:${site.supportPhone.replace(/[^+\d]/g, '')}`}>
                <Icon name="call" />
                <span className="support__way-text tabular">{site.supportPhone}</span>
              </a>
            </li>
          ) : null}
          {OTHERS.filter(({ to }) => to !== here).map(({ to, label }) => (
            <li key={to}>
              <Link className="support__way" to={to}>
                <Icon name="chevronRight" />
                <span className="support__way-text">{label}</span>
              </Link>
            </li>
          ))}
        </ul>
      </aside>
    </div>
  );
}
