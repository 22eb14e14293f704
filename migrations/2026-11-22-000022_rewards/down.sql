DROP TABLE referral_payouts, referral_rewards, referral_links;
