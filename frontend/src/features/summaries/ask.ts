// Asking for a summary: of a link, a file or a text.
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { upload } from '@/api/upload';
import type { Progress } from '@/api/upload';
import type { ResultOf } from '@/api/types';
import type { Summary } from '@/features/summaries/queries';

/** The largest file, in bytes (summaries.file-kinds). */
export const FILE_BYTES = 25 * 1024 * 1024;
/** The longest pasted text, in characters. */
export const TEXT_CHARS = 1_000_000;
/** What the file dialog offers (summaries.file-kinds). */
export const ACCEPT = '.pdf,.epub,.docx,.html,.htm,.md,.markdown,.txt';

/** What is summarised: one of three. Empty fields are ''. */
export interface Source {
  url: string;
  file: File | null;
  text: string;
}

export const NO_SOURCE: Source = { url: '', file: null, text: '' };

interface Sending {
  /** The same key is the same summary, however often it is sent. */
  key: string;
  onProgress: (progress: Progress) => void;
  signal: AbortSignal;
}

const refuse = (field: string, message: string) => new ApiError({ status: 422, code: 'validation_failed', message, field });

/** Asks for the summary; returns it as it waits. Throws an {@link ApiError}, also for what the server would refuse anyway. */
export async function askSummary({ url, file, text }: Source, { key, onProgress, signal }: Sending): Promise<Summary> {
  if (file) {
    if (file.size > FILE_BYTES) throw refuse('file', 'The file is larger than 25 MB.');
    const result = (await upload('/api/ai/file', { file, idempotencyKey: key, onProgress, signal })) as ResultOf<'POST /api/ai/file'>;
    return result.summary;
  }
  if (url.trim() !== '') return (await call('POST /api/ai/url', { body: { url: url.trim() }, idempotencyKey: key, signal })).summary;
  if (text.trim() === '') throw refuse('url', 'Please specify a link, a file or a text.');
  if (text.length > TEXT_CHARS) throw refuse('text', 'Please paste at most 1,000,000 characters.');
  return (await call('POST /api/ai/text', { body: { text }, idempotencyKey: key, signal })).summary;
}
