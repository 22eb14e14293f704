/** The text of HTML, one block per line, with pictures as '[Picture: a hut]'; text that is not HTML is returned as it is. */
export function plainText(text: string): string {
  if (!/<\w+[^>]*>/.test(text)) return text;
  const { body } = new DOMParser().parseFromString(text.replaceAll(/<\/(p|h\d|li|blockquote)>|<img [^>]*>/g, '$&\n'), 'text/html');
  for (const image of body.querySelectorAll('img')) image.replaceWith(image.alt === '' ? '[Picture]' : `[Picture: ${image.alt}]`);
  return body.textContent.trim();
}
