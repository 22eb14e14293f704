import { useEffect } from 'react';

/** Names the document, 'Library · Pith'; without a title only the product's name. The announcer reads it out. */
export function useTitle(title: string | null | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Pith` : 'Pith';
  }, [title]);
}
