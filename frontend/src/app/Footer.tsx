import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { site } from '@/lib/site';
import { useMediaQuery } from '@/lib/useMediaQuery';
import { ROUTES, paths } from '@/paths';
import { Wordmark } from '@/ui/Logo';

/** Footer links (site.footer-links) and the lists without another link to them, in three columns. */
const COLUMNS = [
  {
    title: 'Read',
    links: [
      { to: paths.books, label: ROUTES.books.title },
      { to: paths.authors, label: ROUTES.authors.title },
      { to: paths.collections, label: ROUTES.collections.title },
      { to: paths.visuals, label: 'Visual Summaries' },
      { to: paths.podcasts, label: ROUTES.podcasts.title },
      { to: paths.ai, label: ROUTES.ai.title },
      { to: paths.quiz, label: ROUTES.quiz.title },
      { to: paths.blog, label: ROUTES.blog.title },
      { to: paths.whatsNew, label: ROUTES.whatsNew.title },
    ],
  },
  {
    title: 'Join',
    links: [
      { to: paths.try, label: 'Pricing' },
      { to: paths.gift, label: 'Gift' },
      { to: paths.teams, label: 'Teams' },
      { to: paths.refer, label: 'Affiliate Program' },
    ],
  },
  {
    title: site.name,
    links: [
      { to: paths.about, label: 'About' },
      { to: paths.contact, label: 'Contact' },
      { to: paths.terms, label: 'Terms' },
      { to: paths.privacy, label: 'Privacy' },
    ],
  },
] as const;

export function Footer() {
  return (
    <footer className="footer">
      <div className="footer__inner">
        <div className="footer__brand">
          <Wordmark name={site.name} />
          {site.supportEmail || site.supportPhone ? (
            <p className="footer__support">
              {site.supportEmail ? <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a> : null}
              {site.supportPhone ? <a href={`tel:${site.supportPhone.replace(/[^+\d]/g, '')}`}>{site.supportPhone}</a> : null}
            </p>
          ) : null}
        </div>
        <nav className="footer__nav" aria-label="Footer">
          {COLUMNS.map((column) => (
            <Group key={column.title} title={column.title}>
              {column.links.map(({ to, label }) => (
                <li key={label}>
                  <Link className="footer__link" to={to}>
                    {label}
                  </Link>
                </li>
              ))}
            </Group>
          ))}
          <ExternalLinks title="Follow" links={site.social} />
          <ExternalLinks title="Apps" links={site.stores} />
        </nav>
        <p className="footer__copyright">{`© ${site.year} ${site.name}`}</p>
      </div>
    </footer>
  );
}

/** A column of links, collapsible on phones. */
function Group({ title, children }: { title: string; children: ReactNode }) {
  const folds = useMediaQuery('(max-width: 47.99rem)');
  const heading = <h2 className="footer__title">{title}</h2>;
  const links = <ul className="footer__links">{children}</ul>;
  if (!folds) {
    return (
      <div>
        {heading}
        {links}
      </div>
    );
  }
  return (
    <details className="footer__group">
      <summary className="disclosure">{heading}</summary>
      {links}
    </details>
  );
}

function ExternalLinks({ title, links }: { title: string; links: readonly { name: string; url: string }[] }) {
  if (links.length === 0) return null;
  return (
    <Group title={title}>
      {links.map(({ name, url }) => (
        <li key={name}>
          <a className="footer__link" href={url} rel="noopener">
            {name}
          </a>
        </li>
      ))}
    </Group>
  );
}
