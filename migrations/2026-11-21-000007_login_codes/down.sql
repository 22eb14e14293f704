DROP INDEX single_use_secrets_codes;
