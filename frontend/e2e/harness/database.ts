// The server's database, for what only time would bring (see serve.mjs).
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

/** Runs a statement about an account or a schedule. */
async function change(statement: string, about: string): Promise<void> {
  const client = new pg.Client({ connectionString: await readFile(path.join(process.env['E2E_HOME'] ?? '', 'database-url'), 'utf8') });
  await client.connect();
  try {
    await client.query(statement, [about]);
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

/** Three weeks pass for the places of a member. This browser knows them too (`localStorage`). */
export const agePlaces = (email: string) =>
  change(
    `UPDATE history SET place_at = place_at - interval '21 days', updated_at = updated_at - interval '21 days'
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    email,
  );

/** Three days pass for what a member wanted to do after a book. Their devices read it as a change. */
export const ageCommitments = (email: string) =>
  change(
    `WITH member AS (UPDATE study_members SET version = version + 1000 WHERE user_id = (SELECT id FROM users WHERE email = $1) RETURNING user_id)
     UPDATE commitments SET version = version + 1000, first_day = first_day - 3, created_at = created_at - interval '3 days',
         text_at = text_at - interval '3 days', outcome_at = outcome_at - interval '3 days', edited_at = edited_at - interval '3 days'
     FROM member WHERE commitments.user_id = member.user_id`,
    email,
  );

/** A scheduled job is due now: a worker looks every few seconds. */
export const hasten = (kind: string) => change(`UPDATE job_schedules SET due_at = now() WHERE kind = $1`, kind);
