-- Whoever leaves is also forgotten by those who invited them.
CREATE INDEX invitations_friend_key ON invitations (friend_key);
