DROP TABLE rate_limits, server_keys, root_keys, refresh_secrets, sessions, users;
