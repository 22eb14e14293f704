// Pictures in the widths that the server stores of an uploaded one. Drawings need none: they are vectors.

const WIDTHS = [320, 640, 1280];

/** The `srcSet` and `sizes` of a picture; nothing for a drawing. The server's pages use the same. */
export function pictureSizes(url: string, sizes: string): { srcSet?: string; sizes?: string } {
  const stem = /^(.*)\.(?:jpg|png)$/.exec(url)?.[1];
  return stem === undefined ? {} : { srcSet: WIDTHS.map((width) => `${stem}.${width}.webp ${width}w`).join(', '), sizes };
}
