/** HTML as the text that it shows, one block a line; other text as it is. */
export const plainText = (text: string): string =>
  /<\w+[^>]*>/.test(text) ? new DOMParser().parseFromString(text.replaceAll(/<\/(p|h\d|li|blockquote)>/g, '$&\n'), 'text/html').body.textContent.trim() : text;
