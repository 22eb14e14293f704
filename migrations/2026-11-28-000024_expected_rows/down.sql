DROP STATISTICS checkouts_lower_coupon;
DROP STATISTICS users_lower_email;
