DROP TABLE daily_mails;
