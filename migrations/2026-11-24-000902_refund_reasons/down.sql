UPDATE checkouts SET state = 'declined' WHERE state = 'price_changed';
ALTER TABLE checkouts DROP CONSTRAINT checkouts_state_check, ADD CONSTRAINT checkouts_state_check CHECK (
    state IN ('started', 'submitted', 'needs_action', 'paid', 'declined', 'reconciled'));

DROP TABLE refund_reasons;
