// What the server would have sent: its outbox, a folder of .eml files (see serve.mjs).
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';

export interface Mail {
  subject: string;
  /** The part that is plain text. */
  text: string;
  /** Every address in it, in order. */
  links: string[];
}

const outbox = () => path.join(process.env['E2E_HOME'] ?? '', 'outbox');

/** All mails to an address, the oldest first. */
export async function mailsTo(address: string): Promise<Mail[]> {
  const names = (await readdir(outbox()).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  const raw = await Promise.all(names.map((name) => readFile(path.join(outbox(), name), 'latin1')));
  return raw.filter((mail) => header(mail, 'To').toLowerCase().includes(address.toLowerCase())).map(read);
}

/** Waits for a mail to an address whose subject fits; answers the newest of them. */
export async function mailTo(address: string, subject: RegExp): Promise<Mail> {
  let found: Mail | undefined;
  await expect
    .poll(async () => (found = (await mailsTo(address)).findLast((mail) => subject.test(mail.subject))) !== undefined, {
      message: `a mail to ${address} with the subject ${String(subject)}`,
      timeout: 60_000,
    })
    .toBe(true);
  if (!found) throw new Error('unreachable');
  return found;
}

function read(mail: string): Mail {
  const boundary = /boundary="?([^"\r\n;]+)"?/i.exec(mail)?.[1];
  const parts = boundary ? mail.split(`--${boundary}`) : [mail];
  const plain = parts.find((part) => /content-type:\s*text\/plain/i.test(part)) ?? mail;
  const text = decode(plain.replace(/^[\s\S]*?\r?\n\r?\n/, ''), header(plain, 'Content-Transfer-Encoding').toLowerCase());
  return { subject: words(header(mail, 'Subject')), text, links: text.match(/https?:\/\/[^\s<>")]+/g) ?? [] };
}

/** A header's value, its folded lines joined. */
function header(mail: string, name: string): string {
  const head = mail.trimStart().split(/\r?\n\r?\n/)[0] ?? '';
  return (new RegExp(`^${name}:\\s*(.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(head)?.[1] ?? '').replace(/\r?\n\s+/g, ' ').trim();
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding === 'quoted-printable') return quoted(body.replace(/=\r?\n/g, ''));
  return Buffer.from(body, 'latin1').toString('utf8');
}

const quoted = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

/** '=?utf-8?b?…?=' and '=?utf-8?q?…?=' in a header. */
const words = (value: string) =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, how: string, text: string) =>
      how.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString('utf8') : quoted(text.replaceAll('_', ' ')),
    );
