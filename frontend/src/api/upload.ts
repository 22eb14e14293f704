// Uploads: multipart requests with progress, which `fetch` does not report. Like the client it shows no message.
import { ensureSession, refresh } from '@/api/client';
import { ApiError, GENERAL_FAILURE, OFFLINE, TIMED_OUT } from '@/api/errors';
import { session } from '@/api/session';

/** Timeout of an upload, in milliseconds: 30 minutes (catalogue.files-uploaded). */
export const UPLOAD_TIME_OUT = 1_800_000;

export interface Progress {
  /** Bytes sent so far, and in total. */
  sent: number;
  total: number;
}

interface UploadOptions {
  file: File;
  /** Sent as `Idempotency-Key`: the server carries out repeated requests with the same key once. */
  idempotencyKey?: string;
  onProgress: (progress: Progress) => void;
  signal: AbortSignal;
}

/** Codes of uploads that failed without a response: timed out, the server can't be reached, cancelled. */
export type UploadFailure = 'timeout' | 'network' | 'cancelled';

/**
 * Uploads a file as the form fields `fileName` and `file`; returns the `result`. Throws an {@link ApiError}, with status 0 and a
 * code of {@link UploadFailure} when there was no response.
 */
export async function upload(path: string, options: UploadOptions): Promise<unknown> {
  await ensureSession();
  const token = session.token();
  try {
    return await send(path, options, token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || error.code === 'session_ended' || token === null) throw error;
    return send(path, options, await refresh(token));
  }
}

function send(path: string, { file, idempotencyKey, onProgress, signal }: UploadOptions, token: string | null): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (code: UploadFailure, message = GENERAL_FAILURE) => reject(new ApiError({ status: 0, code, message }));
    const cancel = () => request.abort();
    if (signal.aborted) return fail('cancelled');
    request.open('POST', path);
    request.timeout = UPLOAD_TIME_OUT;
    request.setRequestHeader('Accept', 'application/json');
    if (token !== null) request.setRequestHeader('Authorization', `Bearer ${token}`);
    if (idempotencyKey !== undefined) request.setRequestHeader('Idempotency-Key', idempotencyKey);
    request.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total });
    request.onabort = () => fail('cancelled');
    request.ontimeout = () => fail('timeout', TIMED_OUT);
    request.onerror = () => fail('network', navigator.onLine ? GENERAL_FAILURE : OFFLINE);
    request.onload = () => {
      const answer = parse(request.responseText);
      if (request.status >= 200 && request.status < 300 && answer?.status === 'ok') return resolve(answer.result);
      reject(
        new ApiError({
          status: request.status,
          // A proxy's error page has no code.
          code: answer?.code ?? 'unreadable',
          message: answer?.error ?? (request.statusText || 'Server error.'),
          field: answer?.field ?? null,
          retryAfter: Number(request.getResponseHeader('Retry-After') ?? Number.NaN) || null,
        }),
      );
    };
    request.onloadend = () => signal.removeEventListener('abort', cancel);
    signal.addEventListener('abort', cancel);
    const form = new FormData();
    form.set('fileName', file.name);
    form.set('file', file);
    request.send(form);
  });
}

interface Answer {
  status: string;
  result?: unknown;
  error?: string;
  code?: string;
  field?: string;
}

function parse(text: string): Answer | null {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return null; // a proxy's error page: the status is enough
  }
}
