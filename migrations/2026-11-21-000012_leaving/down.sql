DROP INDEX invitations_friend_key;
