//! The banner for editors (`admin.site-content`).

use actix_web::{get, put, web::Data};
use editorial::Banner;
use kernel::{StoreError, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workflows::{editing::Versioned, editorial::editing::banner};

use crate::{
    app::App,
    editing::{Version, run},
    extract::{ActingEditor, Editor, LargeBody},
    http::{error::ApiError, openapi::Conflict, wire::Answer},
};

/// The banner, with its dates.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The banner.", body = Answer<EditorBannerResult>)), security(("token" = [])))]
#[get("/api/admin/banner")]
pub(crate) async fn show_banner(app: Data<App>, _: Editor) -> Result<Answer<EditorBannerResult>, ApiError> {
    let found = app.read_tx::<_, StoreError, _>(banner::banner).await?;
    Ok(Answer::new(EditorBannerResult::at(found, app.env.now())))
}

/// Writes the banner, based on the version that the editor has read.
#[utoipa::path(
    tag = "admin",
    request_body = BannerForm,
    responses((status = 200, description = "The updated banner.", body = Answer<EditorBannerResult>), Conflict),
    security(("token" = []))
)]
#[put("/api/admin/banner")]
pub(crate) async fn change_banner(
    app: Data<App>,
    acting: ActingEditor,
    LargeBody(form): LargeBody<BannerForm>,
) -> Result<Answer<EditorBannerResult>, ApiError> {
    let version = form.version;
    let edit = form.read()?;
    let edited = run(&app, acting, move |tx, trail| banner::edit_banner(tx, trail, version, &edit)).await?;
    Ok(Answer::new(EditorBannerResult::at(edited, app.env.now())))
}

/// The offer above every page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorBanner {
    /// What it says; empty while none was written.
    text: String,
    /// What its link says.
    link_text: String,
    /// Where its link leads: a path of this site.
    href: String,
    /// From when on it is shown; null: at once.
    #[schema(required)]
    from: Option<i64>,
    /// From when on it is not shown any more; null: it stays.
    #[schema(required)]
    until: Option<i64>,
    /// Whether it is shown at all.
    on: bool,
    /// Whether readers see it now.
    shown: bool,
    #[serde(flatten)]
    version: Version,
}

/// The banner.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct EditorBannerResult {
    /// The banner.
    banner: EditorBanner,
}

impl EditorBannerResult {
    /// The banner with its visibility at `now`.
    pub(crate) fn at(one: Versioned<Banner>, now: Timestamp) -> Self {
        let shown = one.row.is_shown_at(now);
        let Banner { text, link_text, href, from, until, is_on } = one.row;
        let [from, until] = [from, until].map(|at| at.map(Timestamp::millis));
        Self {
            banner: EditorBanner { text, link_text, href, from, until, on: is_on, shown, version: one.version.into() },
        }
    }
}

/// What an editor writes of the banner.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BannerForm {
    /// The version that the editor has read. Another one saved meanwhile is a `409`.
    #[schema(minimum = 1)]
    pub(crate) version: Option<i64>,
    /// What it says, in plain text, at most 160 characters.
    #[serde(default)]
    text: String,
    /// What its link says.
    #[serde(default)]
    link_text: String,
    /// Where its link leads: a path of this site.
    #[serde(default)]
    href: String,
    /// From when on it is shown; null: at once.
    from: Option<i64>,
    /// From when on it is not shown any more; null: it stays.
    until: Option<i64>,
    /// Whether it is shown at all.
    #[serde(default)]
    on: bool,
}

/// The latest accepted date: the end of the year 9999, in milliseconds since the Unix epoch.
const LATEST: i64 = 253_402_300_799_000;

impl BannerForm {
    /// Parses and validates the fields.
    pub(crate) fn read(self) -> Result<Banner, ApiError> {
        let moment = |field: &'static str, millis: Option<i64>| match millis {
            Some(millis) if !(0..=LATEST).contains(&millis) => Err(ApiError::invalid(field, "Please choose a date.")),
            millis => Ok(millis.map(Timestamp::from_millis)),
        };
        Ok(Banner {
            from: moment("from", self.from)?,
            until: moment("until", self.until)?,
            text: self.text,
            link_text: self.link_text,
            href: self.href,
            is_on: self.on,
        })
    }
}
