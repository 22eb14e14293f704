-- The next due moment of each scheduled kind of jobs. Whichever node finds it due queues the job and moves it on.
CREATE TABLE job_schedules (
    kind text PRIMARY KEY,
    due_at timestamptz NOT NULL
);

-- A job set aside by a lapsed lease records that from now on. What was set aside before is recorded here; so are the ends
-- of jobs that were swept since.
UPDATE deliveries
SET state = 'failed',
    ended_at = now(),
    why = coalesce((SELECT last_error FROM jobs WHERE jobs.id = deliveries.job_id), 'It could not be sent.')
WHERE state = 'queued'
    AND job_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM jobs WHERE jobs.id = deliveries.job_id AND jobs.state <> 'set_aside');
