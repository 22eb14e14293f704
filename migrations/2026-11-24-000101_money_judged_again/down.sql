-- Fails where a dispute was lost since: the ledger is append-only.
ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_reference_check;
ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_check2 CHECK ((reference IS NOT NULL) =
    (kind IN ('plan_withdrawn', 'code_revoked', 'refunded', 'disputed', 'dispute_won')));
ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind_check;
ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_kind_check CHECK (kind IN (
    'trial_started', 'charged', 'plan_given', 'code_redeemed', 'charge_failed', 'canceled', 'resumed', 'paused',
    'pause_ended', 'ended', 'plan_withdrawn', 'code_revoked', 'refunded', 'disputed', 'dispute_won',
    'reward_accrued', 'reward_reversed', 'reward_paid'));
ALTER TABLE codes DROP COLUMN suspended_at;
ALTER TABLE referral_rewards DROP COLUMN is_denied;
