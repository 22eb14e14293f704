DROP TABLE invitations, messages;
