CREATE INDEX CONCURRENTLY IF NOT EXISTS codes_redeemed_by ON codes (redeemed_by) WHERE redeemed_by IS NOT NULL;
