//! The publication of posts and episodes on the wire of the back office (`editorial.publication-moment`).

use editorial::{Publication, PublicationEdit};
use kernel::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::wire::present;

/// Whether the public sees a post or an episode.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PublicationState {
    /// The public sees it.
    published: bool,
    /// When it will be published; null for a draft, and for what is published.
    #[schema(required)]
    publish_at: Option<i64>,
}

impl From<Publication> for PublicationState {
    fn from(publication: Publication) -> Self {
        Self { published: publication.is_published(), publish_at: publication.publish_at().map(Timestamp::millis) }
    }
}

/// What an editor says of the publication of a post or an episode. What is left out stays as it is.
#[allow(clippy::option_option, reason = "missing and null mean different things")]
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PublicationForm {
    /// The public sees it. A new one is published when neither this nor a moment is sent.
    published: Option<bool>,
    /// When it will be published; a moment that is past is now. Null is no moment.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<i64>)]
    publish_at: Option<Option<i64>>,
}

impl From<PublicationForm> for PublicationEdit {
    fn from(form: PublicationForm) -> Self {
        Self { published: form.published, publish_at: form.publish_at.map(|at| at.map(Timestamp::from_millis)) }
    }
}
