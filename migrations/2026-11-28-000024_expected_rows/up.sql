-- How many addresses contain a text, and how many orders have a coupon: without these statistics Postgres expects few of the
-- first and many of the second, and reads whole tables.
CREATE STATISTICS users_lower_email ON lower(email) FROM users;
CREATE STATISTICS checkouts_lower_coupon ON lower(coupon) FROM checkouts;
ANALYZE users, checkouts;
