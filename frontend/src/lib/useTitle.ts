import { useEffect } from 'react';

/** Sets the document's title, 'Library · Pith'; without one the product's name. The announcer reads it out. */
export function useTitle(title: string | null | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Pith` : 'Pith';
  }, [title]);
}
