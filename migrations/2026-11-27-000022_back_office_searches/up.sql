-- The lists of the back office: the order of all books, published or not, and the texts in which they search for a part of a name.
-- Nobody runs a release yet, so no table is large, and the indexes are made in the migration's transaction.
CREATE INDEX books_all_by_date ON books (upload_date DESC, id DESC);
CREATE INDEX books_all_by_title ON books (title_key, id);
CREATE INDEX books_names_trigrams ON books USING gin (lower(title || E'\n' || subid) gin_trgm_ops);
CREATE INDEX users_names_trigrams ON users USING gin (lower(first_name || ' ' || last_name || ' ' || email) gin_trgm_ops);
CREATE INDEX payers_guests_trigrams ON payers USING gin (lower(email) gin_trgm_ops) WHERE is_guest;
CREATE INDEX checkouts_plan_name_trigrams ON checkouts USING gin (lower(plan_name) gin_trgm_ops);
CREATE INDEX checkouts_coupon ON checkouts (lower(coupon)) WHERE coupon IS NOT NULL;
CREATE INDEX codes_of_teams ON codes (purchase) WHERE kind = 'bulk';
-- By the provider's id alone, too.
CREATE UNIQUE INDEX checkouts_by_provider_id ON checkouts (provider_id, provider);
DROP INDEX checkouts_provider_id;
