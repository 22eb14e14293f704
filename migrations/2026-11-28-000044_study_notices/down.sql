DROP TABLE study_webhooks;
DROP TABLE study_notices;
