DROP TABLE pause_offers, refund_reasons, gifts, codes, provider_events, checkouts, trials, coupon_uses, coupons;
DROP FUNCTION subscriptions_paid_at(timestamptz);
DROP TABLE subscriptions, entitlements, ledger_entries, ledger_transactions, payer_cards, provider_customers, payers, plans;
DROP FUNCTION check_ledger_balance();
DROP FUNCTION refuse_ledger_change();
