-- A plan for life has no months. Codes that were made with some, and are unused, give it for life.
UPDATE codes c SET months = NULL FROM plans p
WHERE p.id = c.plan_id AND p.kind = 'lifetime' AND c.months IS NOT NULL AND c.redeemed_at IS NULL;
