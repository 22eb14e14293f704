//! How the audit log shows a publication, and who publishes at a moment.

use admin::Actor;
use editorial::Publication;

/// Who publishes posts and episodes at their moments, in the audit log.
pub(super) const PUBLISHER: Actor = Actor::System("publish_posts");

/// A publication as the audit log shows it: whether it is published, and the moment at which it will be.
pub(super) fn publication_texts(publication: Publication) -> (&'static str, Option<String>) {
    let published = if publication.is_published() { "true" } else { "false" };
    (published, publication.publish_at().map(|at| at.millis().to_string()))
}
