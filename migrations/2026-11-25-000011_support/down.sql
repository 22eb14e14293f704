DROP TABLE message_answers, messages;
