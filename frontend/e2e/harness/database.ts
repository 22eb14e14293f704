// The server's database, for what only time would bring (see serve.mjs).
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

/** Runs a statement about an account. */
async function change(statement: string, email: string): Promise<void> {
  const client = new pg.Client({ connectionString: await readFile(path.join(process.env['E2E_HOME'] ?? '', 'database-url'), 'utf8') });
  await client.connect();
  try {
    await client.query(statement, [email]);
  } finally {
    await client.end();
  }
}

/** An hour passes for the sessions of an account: its last sign-in and its last proof are no longer fresh. */
export const ageSessions = (email: string) =>
  change(
    `UPDATE sessions SET created_at = created_at - interval '1 hour', proved_at = proved_at - interval '1 hour', address_proved_at = address_proved_at - interval '1 hour'
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    email,
  );

/** Thirty-one days pass for the rewards of a member: they can be paid out. */
export const ageRewards = (email: string) =>
  change(`UPDATE referral_rewards SET earned_at = earned_at - interval '31 days' WHERE user_id = (SELECT id FROM users WHERE email = $1)`, email);
