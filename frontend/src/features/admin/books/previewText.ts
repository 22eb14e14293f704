// The preview that a visitor sees of a book's text (catalogue.preview-cut): the first 15%, cut at the end of a paragraph.

/** The share of the text that a preview shows. */
const SHARE = 0.15;

/** The beginning of a body, cut at the same place as on the server. */
export function beginningOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const wanted = body.textContent.length * SHARE;
  let length = 0;
  const kept: string[] = [];
  for (const element of body.children) {
    kept.push(element.outerHTML);
    length += element.textContent.length;
    if (length >= wanted && !/^H\d$/.test(element.tagName)) break;
  }
  return kept.join('');
}
