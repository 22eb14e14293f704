DROP TABLE provider_identities;
