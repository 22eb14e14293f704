// Requests a summary of a link, a file or a text, and waits for it.
import { call } from '@/api/client';
import { ApiError } from '@/api/errors';
import { upload } from '@/api/upload';
import type { Progress } from '@/api/upload';
import type { ResultOf } from '@/api/types';
import type { Summary } from '@/features/summaries/queries';

/** Maximum size of a file, in bytes (summaries.file-kinds). */
export const FILE_BYTES = 25 * 1024 * 1024;
/** Maximum length of pasted text, in characters. */
export const TEXT_CHARS = 1_000_000;
/** The `accept` of the file input (summaries.file-kinds). */
export const ACCEPT = '.pdf,.epub,.docx,.html,.htm,.md,.markdown,.txt';

/** What to summarize: exactly one of the three. Empty fields are ''. */
export interface Source {
  url: string;
  file: File | null;
  text: string;
}

export const NO_SOURCE: Source = { url: '', file: null, text: '' };

interface Sending {
  /** The idempotency key: requests with the same key create one summary. */
  key: string;
  onProgress: (progress: Progress) => void;
  signal: AbortSignal;
}

const refuse = (field: string, message: string) => new ApiError({ status: 422, code: 'validation_failed', message, field });

/** Requests a summary; returns it finished, or under way when it takes long (summaries.finished-answer). Throws an {@link ApiError}, also for input that the server would refuse. */
export async function askSummary({ url, file, text }: Source, { key, onProgress, signal }: Sending): Promise<Summary> {
  if (file) {
    if (file.size > FILE_BYTES) throw refuse('file', 'The file is larger than 25 MB.');
    const result = (await upload('/api/ai/file', { file, idempotencyKey: key, onProgress, signal })) as ResultOf<'POST /api/ai/file'>;
    return result.summary;
  }
  if (url.trim() !== '') return (await call('POST /api/ai/url', { body: { url: url.trim() }, idempotencyKey: key, signal })).summary;
  if (text.trim() === '') throw refuse('url', 'Please select a file or url');
  if (text.length > TEXT_CHARS) throw refuse('text', 'Please paste at most 1,000,000 characters.');
  return (await call('POST /api/ai/text', { body: { text }, idempotencyKey: key, signal })).summary;
}
