/** A film shorter than this share of the summary's reading time can't be the summary itself. */
const TRAILER_SHARE = 0.25;

/**
 * Whether a film is a trailer of its book, by its length in seconds and the minutes that the summary takes; false while the length is not
 * known (catalogue.video-page).
 */
export const isTrailer = (seconds: number | null, minutes: number): boolean => seconds !== null && seconds > 0 && seconds < minutes * 60 * TRAILER_SHARE;
