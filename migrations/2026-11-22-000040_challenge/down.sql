DROP TABLE quiz_results, quiz_questions, ten_day_books, ten_day_plans, chosen_goals;
