import { useEffect, useState } from 'react';
import { Link } from 'react-router';

/** The page's table of contents, beside it on wide screens; marks the section in view. */
export function SectionIndex({ sections }: { sections: readonly { id: string; title: string }[] }) {
  const current = useCurrent(sections);
  return (
    <nav className="account__index" aria-label="On this page">
      <ul className="account__index-list">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <Link
              className="account__index-link"
              to={`#${id}`}
              replace
              aria-current={id === current ? 'true' : undefined}
              onClick={() => document.getElementById(`${id}-title`)?.focus({ preventScroll: true })}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The id of the section at the upper third of the window. */
function useCurrent(sections: readonly { id: string }[]): string | null {
  const [current, setCurrent] = useState<string | null>(sections[0]?.id ?? null);
  useEffect(() => {
    const spot = () => {
      const line = window.innerHeight / 3;
      const end = document.documentElement.scrollHeight - window.innerHeight - window.scrollY < 8;
      const passed = sections.filter(({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) < line);
      setCurrent((end ? sections.at(-1) : (passed.at(-1) ?? sections[0]))?.id ?? null);
    };
    window.addEventListener('scroll', spot, { passive: true });
    return () => window.removeEventListener('scroll', spot);
  }, [sections]);
  return current;
}
