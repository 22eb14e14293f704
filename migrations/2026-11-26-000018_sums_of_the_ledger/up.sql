-- What the entries of each account add up to, from the first transaction of the ledger through one: a balance is this and the entries
-- since. A scheduled job moves it on.
CREATE TABLE ledger_sums (
    account text PRIMARY KEY,
    through_id bigint NOT NULL REFERENCES ledger_transactions,
    amount_cents bigint NOT NULL
);

-- Most orders are paid. The others are listed by their states, newest first.
CREATE INDEX checkouts_not_paid ON checkouts (number) WHERE state <> 'paid';
