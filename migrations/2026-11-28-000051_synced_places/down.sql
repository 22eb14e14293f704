DROP TABLE synced_places;
