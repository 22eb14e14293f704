-- The orders of a plan, newest first.
CREATE INDEX CONCURRENTLY checkouts_plan ON checkouts (plan_id, number);
