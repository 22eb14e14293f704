DROP TABLE rate_limits, server_keys, root_keys, passkeys, recovery_codes, totp, provider_identities, single_use_secrets,
    refresh_secrets, sessions, users;
