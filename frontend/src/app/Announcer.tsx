import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/** How long the page may take to render its heading, in milliseconds; after that the focus stays where it is. */
const PATIENCE = 8000;

/** After a navigation, focuses the page's h1 and announces its title. On the first page the browser does that. */
export function Announcer() {
  const { pathname } = useLocation();
  const [text, setText] = useState('');
  const last = useRef(pathname);

  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    const focus = () => {
      const heading = document.querySelector<HTMLElement>('main h1');
      if (!heading) return false;
      // A passage to which the link led keeps it.
      if (document.activeElement?.tagName !== 'MARK') {
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }
      setText(document.title);
      return true;
    };
    if (focus()) return;
    const observer = new MutationObserver(() => {
      if (focus()) observer.disconnect();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    const timer = setTimeout(() => observer.disconnect(), PATIENCE);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [pathname]);

  return (
    <div className="visually-hidden" aria-live="polite" aria-atomic="true">
      {text}
    </div>
  );
}
