-- Why an admin gave money back, by the key of the movement of the ledger that records it. It is written before the provider is
-- asked: of a refund that the provider refuses a row stays that belongs to no movement.
CREATE TABLE refund_reasons (
    movement text PRIMARY KEY,
    reason text NOT NULL CHECK (reason IN ('requested_by_customer', 'duplicate', 'fraudulent', 'other')),
    note text CHECK (length(note) BETWEEN 1 AND 200),
    given_at timestamptz NOT NULL
);

-- A checkout whose price was another one than was shown is no declined one.
ALTER TABLE checkouts DROP CONSTRAINT checkouts_state_check, ADD CONSTRAINT checkouts_state_check CHECK (
    state IN ('started', 'submitted', 'needs_action', 'paid', 'declined', 'price_changed', 'reconciled'));
