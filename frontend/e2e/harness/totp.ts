// What an authenticator app does: codes from a secret (RFC 6238: SHA-1, six digits, 30 seconds).
import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP = 30_000;

function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret.replace(/[\s=]/g, '').toUpperCase(), (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of a moment, in milliseconds; a step later is the next one. */
export function totpCode(secret: string, at = Date.now()): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / STEP)));
  const hash = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** The code of the next step: the server takes each step once. */
export const nextTotpCode = (secret: string): string => totpCode(secret, Date.now() + STEP);
