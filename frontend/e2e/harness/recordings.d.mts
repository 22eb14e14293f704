/** Seconds of silence as a WAV file. */
export function silence(seconds: number): Buffer;
