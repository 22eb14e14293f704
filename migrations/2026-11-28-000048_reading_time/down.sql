DROP TABLE reading_time, reading_goals;
