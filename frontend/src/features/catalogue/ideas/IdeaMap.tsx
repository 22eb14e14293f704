import { useMemo } from 'react';
import { SIZE, layoutOf } from '@/features/catalogue/ideas/layout';
import { KINDS, matches } from '@/features/catalogue/ideas/links';
import type { LinkFilter } from '@/features/catalogue/ideas/links';
import type { IdeaLink } from '@/features/catalogue/ideas/queries';

interface Props {
  links: readonly IdeaLink[];
  filter: LinkFilter;
  /** Null: no book. */
  onBook: (subid: string | null) => void;
}

/**
 * The links of a topic as a drawing. It is hidden from assistive technology and from the keyboard, because the list below it says the
 * same, and its filters do the same (catalogue.idea-map).
 */
export function IdeaMap({ links, filter, onBook }: Props) {
  const { books, ideas, curves } = useMemo(() => layoutOf(links), [links]);
  const shown = new Set(links.filter((link) => matches(link, filter)).map(({ id }) => id));
  const isFiltered = shown.size < links.length;
  const ends = new Set(curves.filter(({ id }) => shown.has(id)).flatMap((curve) => curve.ends));
  const linked = new Set(ideas.filter(({ key }) => ends.has(key)).map(({ subid }) => subid));
  const choose = (subid: string) => onBook(filter.book === subid ? null : subid);
  return (
    <>
      <svg className={isFiltered ? 'idea-map idea-map--filtered' : 'idea-map'} viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true" focusable="false">
        {/* What is shown is drawn last, over what is not. */}
        {curves
          .toSorted((one, other) => Number(shown.has(one.id)) - Number(shown.has(other.id)))
          .map(({ id, kind, path, name }) => (
            <path key={id} className={`idea-map__link idea-map__link--${kind}${shown.has(id) ? ' idea-map__link--shown' : ''}`} d={path}>
              <title>{name}</title>
            </path>
          ))}
        {ideas.map(({ key, subid, x, y }) => (
          <circle key={key} className={`idea-map__idea${ends.has(key) ? ' idea-map__idea--shown' : ''}`} cx={x} cy={y} r="7" onClick={() => choose(subid)} />
        ))}
        {books.map(({ subid, title, x, y, turn, isLeft }) => (
          <text
            key={subid}
            className={`idea-map__book${linked.has(subid) ? ' idea-map__book--shown' : ''}${filter.book === subid ? ' idea-map__book--chosen' : ''}`}
            x={x}
            y={y}
            transform={`rotate(${turn} ${x} ${y})`}
            textAnchor={isLeft ? 'end' : 'start'}
            dominantBaseline="central"
            onClick={() => choose(subid)}
          >
            {title}
          </text>
        ))}
      </svg>
      <p className="idea-map__legend" aria-hidden="true">
        {KINDS.map(({ value, label }) => (
          <span key={value} className={`idea-map__kind idea-link--${value}`}>
            <span className="idea-link__kind">{label}</span>
          </span>
        ))}
      </p>
    </>
  );
}
