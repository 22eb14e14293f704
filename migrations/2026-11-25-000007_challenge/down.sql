DROP TABLE quiz_results, quiz_questions, daily_mails, ten_day_books, ten_day_plans, chosen_goals;
