/** The visible text of HTML, one block per line; text that is not HTML is returned as it is. */
export const plainText = (text: string): string =>
  /<\w+[^>]*>/.test(text) ? new DOMParser().parseFromString(text.replaceAll(/<\/(p|h\d|li|blockquote)>/g, '$&\n'), 'text/html').body.textContent.trim() : text;
