-- The orders of a plan, newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS checkouts_plan ON checkouts (plan_id, number);
