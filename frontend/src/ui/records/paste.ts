// Text pasted from Word, Google Docs and the web, reduced to the HTML that the product allows. The editor drops unknown elements
// and attributes by itself; this converts what those programs express in other ways.

const isBold = (style: string) => /font-weight:\s*(bold|[6-9]00)/i.test(style);
const isItalic = (style: string) => /font-style:\s*italic/i.test(style);
const isNormal = (style: string) => /font-weight:\s*(normal|400)/i.test(style);

/** Replaces an element with one of another tag, keeping its children. */
function rename(element: Element, tag: string): void {
  const other = element.ownerDocument.createElement(tag);
  other.append(...element.childNodes);
  element.replaceWith(other);
}

/** Wraps an element's children in a new element. */
function wrapChildren(element: Element, tag: string): void {
  const other = element.ownerDocument.createElement(tag);
  other.append(...element.childNodes);
  element.append(other);
}

/** Word exports lists as paragraphs that begin with a bullet or a number; this converts them to lists. */
function mendWordLists(body: HTMLElement): void {
  for (const first of body.querySelectorAll('p[class*="MsoListParagraph"], p[data-style*="mso-list"]')) {
    if (first.parentElement?.closest('ul, ol')) continue;
    const previous = first.previousElementSibling;
    const marker = first.querySelector('[data-style*="mso-list:Ignore"], [data-style*="mso-list: Ignore"]') ?? null;
    const text = (marker?.textContent ?? first.textContent).trim();
    const tag = /^\(?(\d+|[a-z])[.)]/i.test(text) ? 'ol' : 'ul';
    marker?.remove();
    const item = first.ownerDocument.createElement('li');
    item.append(...first.childNodes);
    const [start] = item.childNodes;
    if (start?.nodeType === 3 && start.textContent !== null) start.textContent = start.textContent.replace(/^\s*[·•o§▪–-]\s+/, '');
    if (previous?.tagName.toLowerCase() === tag && previous.hasAttribute('data-word')) {
      previous.append(item);
      first.remove();
    } else {
      const list = first.ownerDocument.createElement(tag);
      list.setAttribute('data-word', '');
      list.append(item);
      first.replaceWith(list);
    }
  }
}

/** Cleans pasted HTML: headings become sections (level 3) and sub-headings (level 4), styled spans become bold or italic, the rest is removed. */
export function cleanPastedHtml(html: string): string {
  // Word's conditional comments contain whole documents. Styles are read, never applied: the content security policy would report
  // them.
  const plain = html
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/<\/?o:p[^>]*>/g, '')
    .replaceAll(/(<style[\s\S]*?<\/style>)/gi, '');
  const { body } = new DOMParser().parseFromString(plain.replaceAll(/\sstyle\s*=/gi, ' data-style='), 'text/html');
  body.querySelectorAll('script, style, meta, link, title, xml, iframe, object, template, noscript').forEach((element) => element.remove());
  mendWordLists(body);
  body.querySelectorAll('h1, h2').forEach((element) => rename(element, 'h3'));
  body.querySelectorAll('h5, h6').forEach((element) => rename(element, 'h4'));
  body.querySelectorAll('p[class*="MsoTitle"], p[class*="MsoHeading"]').forEach((element) => rename(element, 'h3'));
  for (const element of body.querySelectorAll('b, strong')) {
    // Google Docs wraps everything it copies in a <b> that is not bold.
    if (isNormal(element.getAttribute('data-style') ?? '')) element.replaceWith(...element.childNodes);
  }
  for (const element of body.querySelectorAll('span[data-style]')) {
    const style = element.getAttribute('data-style') ?? '';
    if (element.closest('h3, h4')) continue;
    if (isBold(style)) wrapChildren(element, 'strong');
    if (isItalic(style)) wrapChildren(element, 'em');
  }
  for (const element of body.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (name !== 'href') element.removeAttribute(name);
  }
  body.querySelectorAll('span, font').forEach((element) => element.replaceWith(...element.childNodes));
  body.querySelectorAll('p, h3, h4, li').forEach((element) => {
    if (element.textContent.replaceAll('\u00a0', ' ').trim() === '' && element.querySelector('img') === null) element.remove();
  });
  return body.innerHTML;
}
