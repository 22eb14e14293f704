DROP TABLE unanswered_searches;
