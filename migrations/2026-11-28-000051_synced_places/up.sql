-- Positions that members' e-reader programs synchronize, also in documents that are not from here.
CREATE TABLE synced_places (
    user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
    document text NOT NULL,
    progress text NOT NULL,
    percentage double precision NOT NULL CHECK (percentage BETWEEN 0 AND 1),
    device text NOT NULL,
    device_id text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (user_id, document)
);
