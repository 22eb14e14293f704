export interface BookSection {
  /** Empty for text before the first heading. */
  title: string;
  /** The section's HTML without its heading. */
  html: string;
}

/** What a section is called: one before the first heading has no title of its own. */
export const sectionTitle = (title: string): string => title || 'Introduction';

/**
 * Splits a book's body into sections, which the server counts in the same way: each begins at a top-level level-3 heading
 * (catalogue.body-sections). What stands before the first heading, a picture alone too, is an untitled first section. The server has
 * already sanitized the HTML and promoted a trailing level-2 group.
 */
export function splitSections(body: string): BookSection[] {
  const template = document.createElement('template');
  template.innerHTML = body;
  const sections: { title: string; holder: HTMLElement }[] = [];
  const begin = (title: string) => {
    const section = { title, holder: document.createElement('div') };
    sections.push(section);
    return section;
  };
  for (const node of [...template.content.childNodes]) {
    if (node instanceof HTMLHeadingElement && node.tagName === 'H3') begin(node.textContent.trim());
    else if (node instanceof Element || node.textContent?.trim()) (sections.at(-1) ?? begin('')).holder.append(node);
  }
  return sections.map(({ title, holder }) => ({ title, html: holder.innerHTML }));
}
