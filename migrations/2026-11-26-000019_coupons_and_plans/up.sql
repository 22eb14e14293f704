-- Coupons by percentage or amount, for the first charge or each, for all plans or some; plans that are not sold any more.

ALTER TABLE coupons
    ALTER COLUMN percent DROP NOT NULL,
    ADD COLUMN amount_cents bigint CHECK (amount_cents > 0),
    ADD COLUMN every_charge boolean NOT NULL DEFAULT false,
    -- Empty: for all plans. `book` stands for each book.
    ADD COLUMN plan_ids text[] NOT NULL DEFAULT '{}',
    ADD COLUMN campaign text,
    ADD CONSTRAINT coupons_discount CHECK (num_nonnulls(percent, amount_cents) = 1);

-- Who has it keeps it.
ALTER TABLE plans ADD COLUMN archived boolean NOT NULL DEFAULT false;
