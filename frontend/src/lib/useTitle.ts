import { useEffect } from 'react';
import { site } from '@/lib/site';

/** The document's title as the server writes it: 'Library – ' and the product's name; without a title the name alone. */
export const documentTitle = (title: string | null | undefined): string => (title ? `${title} – ${site.name}` : site.name);

/** Sets the document's title. The announcer reads it out. */
export function useTitle(title: string | null | undefined): void {
  useEffect(() => {
    document.title = documentTitle(title);
  }, [title]);
}
