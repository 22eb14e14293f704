DROP TABLE films;
DROP TABLE narrations;
