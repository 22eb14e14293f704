// The caches of the browser's Cache API, by name. The service worker and the pages share them.

/** Files of the built app. */
export const ASSETS = 'assets';
/** The page that is served offline, and the list of the files that belong to it. */
export const SHELL = 'shell';
/** Covers of the summaries on this device, by URL. The pages fill it; emptied with the session. */
export const PICTURES = 'pictures';
/** Recordings that a member keeps, by the path of their URL: its query is a signature that expires. Emptied with the session. */
export const RECORDINGS = 'recordings';

/** The caches that belong to a member. */
export const PERSONAL = [PICTURES, RECORDINGS] as const;

/** The URL under which a presigned file is cached. */
export const unsignedUrl = (url: string): string => {
  const { origin, pathname } = new URL(url, self.location.origin);
  return origin + pathname;
};

/** The stored file of a cover as a page shows it: an uploaded picture in its middle size, a drawing as it is. */
export const coverFile = (image: string): string => image.replace(/\.jpg$/, '.640.webp');

/** The file that stands in for another size of the same uploaded picture. */
export const otherSize = (url: string): string | null => {
  const other = url.replace(/\.(?:320|1280)\.webp$|\.jpg$/, '.640.webp');
  return other === url ? null : other;
};
