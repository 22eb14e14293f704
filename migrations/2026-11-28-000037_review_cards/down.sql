DROP TABLE card_answers;
DROP TABLE review_cards;
