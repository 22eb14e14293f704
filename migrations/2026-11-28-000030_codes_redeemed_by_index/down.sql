DROP INDEX CONCURRENTLY codes_redeemed_by;
