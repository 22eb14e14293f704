DROP TABLE referred_members;
