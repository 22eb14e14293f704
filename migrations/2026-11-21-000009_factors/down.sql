DROP TABLE passkeys;
DROP TABLE recovery_codes;
DROP TABLE totp;
