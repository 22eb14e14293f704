//! Public lists for the operator, on the wire.

use kernel::{Limit, Timestamp};
use serde::{Deserialize, Serialize};
use study::{ListKey, ListSearch};
use utoipa::{IntoParams, ToSchema};
use workflows::study::lists::ModeratedList;

use crate::{
    http::{
        error::ApiError,
        wire::page::{ListCount, after, given, limit},
    },
    study::list_types::ListSharing,
};

/// Query parameters of the public lists.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ModeratedListsParams {
    /// A part of the name, or a complete slug or URL, also of one by link.
    q: Option<String>,
    /// The cursor: `result.next` of the previous page.
    #[param(pattern = r"^([0-9]{1,15}-[1-9][0-9]{0,18}-[1-9][0-9]{0,18})?$")]
    after: Option<String>,
    /// The page size, 1 to 100. Default: 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

impl ModeratedListsParams {
    /// Parses and validates the parameters.
    pub(super) fn read(&self) -> Result<(ListSearch, Limit), ApiError> {
        let text = given(self.q.as_deref()).unwrap_or_default();
        // The whole URL of a list, as it was reported, stands for its slug.
        let text = text.rsplit_once("/list/").map_or(text, |(_, slug)| slug).to_owned();
        let search = ListSearch { text, after: after(self.after.as_deref())? };
        Ok((search, limit(self.limit, Limit::MAX, Limit::MAX)?))
    }
}

/// The owner of a list.
#[derive(Debug, Serialize, ToSchema)]
struct ListOwner {
    id: i64,
    /// The address.
    email: String,
}

/// A list that is public, or that was taken down.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ModeratedListRow {
    /// By what calls name it.
    key: String,
    owner: ListOwner,
    name: String,
    note: String,
    sharing: ListSharing,
    /// The last part of its URL, after `/list/`; null: it is private.
    #[schema(required)]
    slug: Option<String>,
    /// How many books it has.
    books: usize,
    /// How many members follow it.
    followers: u32,
    /// Since when it is shared, or was before it was taken down, in ms since the epoch.
    #[schema(required)]
    shared_at: Option<i64>,
    is_taken_down: bool,
}

impl From<ModeratedList> for ModeratedListRow {
    fn from(ModeratedList { listed, owner_email }: ModeratedList) -> Self {
        let owner = listed.owned.owner;
        let list = listed.owned.stored.list;
        Self {
            key: ListKey { owner, id: list.id }.to_string(),
            owner: ListOwner { id: owner.get(), email: owner_email },
            name: list.state.name.value.as_str().to_owned(),
            note: list.state.note.value.as_str().to_owned(),
            sharing: list.sharing.into(),
            slug: list.slug.as_ref().map(|slug| slug.as_str().to_owned()),
            books: list.state.shown_books().len(),
            followers: listed.followers,
            shared_at: list.shared_at.map(Timestamp::millis),
            is_taken_down: list.is_taken_down,
        }
    }
}

/// A page of public lists.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModeratedListsResult {
    /// The one that was shared last first.
    pub(super) lists: Vec<ModeratedListRow>,
    #[serde(flatten)]
    pub(super) total: ListCount,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub(super) next: Option<String>,
}

/// A public list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModeratedListResult {
    pub(super) list: ModeratedListRow,
}

/// The change of a list.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TakeDownBody {
    /// True: it becomes private and can't be shared; false: it can be shared again.
    pub(super) is_taken_down: bool,
}
