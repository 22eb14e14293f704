import { useEffect } from 'react';
import { site } from '@/lib/site';

/** The document title, as the server builds it: 'Library – ' and the product's name; without a title the name alone. */
export const documentTitle = (title: string): string => (title ? `${title} – ${site.name}` : site.name);

/** Sets the document title, which the announcer reads out. Undefined: not known yet, or another part of the page sets it. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = documentTitle(title);
  }, [title]);
}
