DELETE FROM coupons WHERE percent IS NULL;
ALTER TABLE coupons
    DROP CONSTRAINT coupons_discount,
    DROP COLUMN amount_cents,
    DROP COLUMN every_charge,
    DROP COLUMN plan_ids,
    DROP COLUMN campaign,
    ALTER COLUMN percent SET NOT NULL;
ALTER TABLE plans DROP COLUMN archived;
