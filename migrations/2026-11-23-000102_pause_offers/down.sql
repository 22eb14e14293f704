DROP TABLE pause_offers;
