-- What admins and workers need to know of a job besides: what it is about, whom it is for, how often it was retried.

-- One word of the kind's own, such as the name of a mail.
ALTER TABLE jobs ADD COLUMN about text NOT NULL DEFAULT '';
-- A hash of the recipient's address. `recipient` is as much of the address as admins need to recognise it.
ALTER TABLE jobs ADD COLUMN recipient_key bytea;
ALTER TABLE jobs ADD COLUMN retries integer NOT NULL DEFAULT 0;

CREATE INDEX jobs_recipient ON jobs (recipient_key) WHERE recipient_key IS NOT NULL;
CREATE INDEX jobs_done ON jobs (done_at) WHERE state = 'done';
