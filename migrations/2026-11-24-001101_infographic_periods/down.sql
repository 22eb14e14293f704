DROP TABLE infographic_periods;
