-- By its number people name an order.
ALTER TABLE checkouts ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY;
CREATE UNIQUE INDEX checkouts_number ON checkouts (number);
CREATE INDEX ledger_transactions_kind ON ledger_transactions (kind, id);
-- Two admins who change a plan at once find out.
ALTER TABLE plans ADD COLUMN version bigint NOT NULL DEFAULT 1;
