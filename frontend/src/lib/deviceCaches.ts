// Names of the browser's Cache API caches, shared by the service worker and the pages.

/** Files of the app's build. */
export const ASSETS = 'assets';
/** The page served offline, and the list of its files. */
export const SHELL = 'shell';
/** Covers of the summaries on this device, by URL. Filled by the pages, cleared when the session ends. */
export const PICTURES = 'pictures';
/** Downloaded recordings, by the path of their URL: its query is a signature that expires. Cleared when the session ends. */
export const RECORDINGS = 'recordings';

/** The caches that belong to a member. */
export const PERSONAL = [PICTURES, RECORDINGS] as const;

/** The cache key of a presigned file: its URL without the signature. */
export const unsignedUrl = (url: string): string => {
  const { origin, pathname } = new URL(url, self.location.origin);
  return origin + pathname;
};

/** The file of a cover at the size that pages show: the 640 px rendition of an uploaded picture; a drawing as it is. */
export const coverFile = (image: string): string => image.replace(/\.jpg$/, '.640.webp');

/** The 640 px rendition to use in place of another size of the same uploaded picture; null when `url` is that already. */
export const otherSize = (url: string): string | null => {
  const other = url.replace(/\.(?:320|1280)\.webp$|\.jpg$/, '.640.webp');
  return other === url ? null : other;
};
