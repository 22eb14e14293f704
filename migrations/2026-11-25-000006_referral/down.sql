DROP TABLE referral_payouts, referral_rewards, referred_members, referral_links, invitations;
