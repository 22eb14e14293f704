/** A video shorter than this share of the summary's reading time can't be the summary itself. */
const TRAILER_SHARE = 0.25;

/**
 * Whether a video is a trailer of its book, judged by its length in seconds and the summary's reading time in minutes; false
 * while the length is unknown (catalogue.video-page).
 */
export const isTrailer = (seconds: number | null, minutes: number): boolean => seconds !== null && seconds > 0 && seconds < minutes * 60 * TRAILER_SHARE;
