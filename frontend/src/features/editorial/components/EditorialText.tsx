import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';

/** The path of a clicked link within this site; null for other sites, new tabs, downloads and mails. */
function ownPathOf(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = (event.target as Element).closest('a');
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return null;
  return link.pathname + link.search + link.hash;
}

/** Editorial HTML, sanitized by the server. Links within the site navigate without a page load. */
export function EditorialText({ html }: { html: string }) {
  const text = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const at = text.current;
    if (!at) return;
    const follow = (event: MouseEvent) => {
      const path = ownPathOf(event);
      if (path === null) return;
      event.preventDefault();
      void navigate(path);
    };
    at.addEventListener('click', follow);
    return () => at.removeEventListener('click', follow);
  }, [navigate]);
  return <div ref={text} className="prose post__text" lang="en" dangerouslySetInnerHTML={{ __html: html }} />;
}
