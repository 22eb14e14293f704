export interface BookSection {
  /** Empty for text before the first heading. */
  title: string;
  /** The section's HTML without its heading. */
  html: string;
}

/**
 * Splits a book's body into sections: each begins at a top-level level-3 heading (catalogue.body-sections). Text before the first
 * heading becomes an untitled first section; a section without text is left out. The server has already sanitized the HTML
 * and promoted a trailing level-2 group.
 */
export function splitSections(body: string): BookSection[] {
  const template = document.createElement('template');
  template.innerHTML = body;
  const sections: BookSection[] = [];
  let title = '';
  let holder = document.createElement('div');
  const close = () => {
    if (title !== '' || holder.textContent.trim() !== '') sections.push({ title, html: holder.innerHTML.trim() });
  };
  for (const node of [...template.content.childNodes]) {
    if (node instanceof HTMLHeadingElement && node.tagName === 'H3') {
      close();
      title = node.textContent.trim();
      holder = document.createElement('div');
    } else {
      holder.append(node);
    }
  }
  close();
  return sections;
}
