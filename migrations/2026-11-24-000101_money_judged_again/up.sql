-- A reward that turned out to be for the owner's own purchase, or for a payment that was not the buyer's first.
ALTER TABLE referral_rewards ADD COLUMN is_denied boolean NOT NULL DEFAULT false;
ALTER TABLE referral_rewards ADD CHECK (NOT is_denied OR amount_cents = 0);

-- Unused codes are suspended while the payment for them is disputed.
ALTER TABLE codes ADD COLUMN suspended_at timestamptz;

-- A dispute that was decided for the payer's bank.
ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind_check;
ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_kind_check CHECK (kind IN (
    'trial_started', 'charged', 'plan_given', 'code_redeemed', 'charge_failed', 'canceled', 'resumed', 'paused',
    'pause_ended', 'ended', 'plan_withdrawn', 'code_revoked', 'refunded', 'disputed', 'dispute_won', 'dispute_lost',
    'reward_accrued', 'reward_reversed', 'reward_paid'));
ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_check2;
ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_reference_check CHECK ((reference IS NOT NULL) =
    (kind IN ('plan_withdrawn', 'code_revoked', 'refunded', 'disputed', 'dispute_won', 'dispute_lost')));
