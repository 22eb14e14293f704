DROP TABLE member_summaries;
