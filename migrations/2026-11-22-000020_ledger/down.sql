DROP TABLE subscriptions, ledger_entries, ledger_transactions, provider_customers, payers;
DROP FUNCTION check_ledger_balance();
DROP FUNCTION refuse_ledger_change();
