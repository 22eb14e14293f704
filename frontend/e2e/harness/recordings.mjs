// Recordings for the tests of listening and watching, put beside the demo content before the server starts: silence as
// long as the text has paragraphs, with the marks that the product's own voice would leave. No speech program is needed.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Seconds of a heading, and of a paragraph. */
const HEADING = 2;
const PARAGRAPH = 4;
/** Samples a second; one byte each. */
const RATE = 4000;

/** Seconds of silence as a WAV file. */
export function silence(seconds) {
  const samples = Math.ceil(seconds * RATE);
  const wav = Buffer.alloc(44 + samples, 128);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + samples, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20); // PCM
  wav.writeUInt16LE(1, 22); // mono
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(samples, 40);
  return wav;
}

/** When each heading and paragraph begins: [section, paragraph or null, milliseconds]. */
function marksOf(body) {
  const marks = [];
  let at = 0;
  for (const [section, text] of body.split(/(?=<h3[ >])/).entries()) {
    marks.push([section, null, at * 1000]);
    at += HEADING;
    const blocks = [...text.matchAll(/<(p|li|blockquote|h4)[ >]/g)];
    for (const [i, [, name]] of blocks.entries()) {
      if (name === 'blockquote') continue; // its paragraphs speak
      marks.push([section, i, at * 1000]);
      at += PARAGRAPH;
    }
  }
  return { marks, seconds: at };
}

async function put(home, key, bytes) {
  const file = path.join(home, 'media', key);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
}

/** Gives books audio, and one of them a film. `client` is connected to the server's database. */
export async function addRecordings(client, home, { audio, video }) {
  for (const subid of audio) {
    const { rows } = await client.query('SELECT id, body FROM books WHERE subid = $1', [subid]);
    const [{ id, body }] = rows;
    const { marks, seconds } = marksOf(body);
    const key = `audio/${subid}-e2e.wav`;
    await put(home, key, silence(seconds));
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 32);
    await client.query('UPDATE books SET media = $2 WHERE id = $1', [id, key]);
    await client.query(
      `INSERT INTO narrations (book_id, media, duration_ms, marks, text_hash, voice, made_at) VALUES ($1, $2, $3, $4, $5, 'silence', now())
       ON CONFLICT (book_id) DO UPDATE SET media = excluded.media, duration_ms = excluded.duration_ms, marks = excluded.marks, text_hash = excluded.text_hash`,
      [id, key, Math.round(seconds * 1000), JSON.stringify(marks), hash],
    );
  }
  for (const subid of video) {
    const { rows } = await client.query('SELECT id FROM books WHERE subid = $1', [subid]);
    const key = `video/${subid}-e2e.mp4`;
    // Browsers look into a file for what it is: sound without a picture plays in a film's place.
    await put(home, key, silence(30));
    await client.query('UPDATE books SET video = $2 WHERE id = $1', [rows[0].id, key]);
  }
}
