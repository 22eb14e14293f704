/**
 * Where notes stand in the margin, in pixels from the top: each beside its passage, or below the note before it where the two
 * would overlap. `tops` are those of the passages, in the order of the text.
 */
export function stack(tops: readonly number[], heights: readonly number[], gap: number): number[] {
  let free = Number.NEGATIVE_INFINITY;
  return tops.map((top, index) => {
    const at = Math.max(top, free);
    free = at + (heights[index] ?? 0) + gap;
    return at;
  });
}
