// Pictures in the widths that the server stores of an uploaded one. Drawings need none: they are vectors.
import { site } from '@/lib/site';

/** The `srcSet` and `sizes` of a picture; nothing for a drawing. The server's pages use the same. */
export function pictureSizes(url: string, sizes: string): { srcSet?: string; sizes?: string } {
  const stem = /^(.*)\.(?:jpg|png)$/.exec(url)?.[1];
  return stem === undefined ? {} : { srcSet: site.pictureWidths.map((width) => `${stem}.${width}.webp ${width}w`).join(', '), sizes };
}
