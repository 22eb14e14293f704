-- Drafts of posts and episodes, and the moment at which one becomes public. What there is is published.
ALTER TABLE posts
    ADD COLUMN published boolean NOT NULL DEFAULT true,
    ADD COLUMN publish_at timestamptz,
    ADD CONSTRAINT posts_publication CHECK (NOT published OR publish_at IS NULL);
ALTER TABLE podcasts
    ADD COLUMN published boolean NOT NULL DEFAULT true,
    ADD COLUMN publish_at timestamptz,
    ADD CONSTRAINT podcasts_publication CHECK (NOT published OR publish_at IS NULL);
CREATE INDEX posts_publish_at ON posts (publish_at) WHERE publish_at IS NOT NULL;
CREATE INDEX podcasts_publish_at ON podcasts (publish_at) WHERE publish_at IS NOT NULL;
