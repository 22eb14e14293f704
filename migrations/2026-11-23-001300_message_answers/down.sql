DROP INDEX messages_kind_created_at;
DROP TABLE message_answers;
