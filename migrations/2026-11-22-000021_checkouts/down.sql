DROP TABLE codes, provider_events, checkouts, payer_cards, trials, coupon_uses, coupons;
