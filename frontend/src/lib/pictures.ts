// The widths in which the server stores an uploaded picture. Drawings (SVG) need none.
import { site } from '@/lib/site';

/** The `srcSet` and `sizes` of a picture; empty for a drawing. The server-rendered pages use the same. */
export function pictureSizes(url: string, sizes: string): { srcSet?: string; sizes?: string } {
  const stem = /^(.*)\.(?:jpg|png)$/.exec(url)?.[1];
  return stem === undefined ? {} : { srcSet: site.pictureWidths.map((width) => `${stem}.${width}.webp ${width}w`).join(', '), sizes };
}
