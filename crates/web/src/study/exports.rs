//! `GET /api/study/export`.

use actix_web::{
    HttpResponse, get,
    http::header,
    web::{Data, block},
};
use bytes::Bytes;
use identity::RateLimitBucket;
use kernel::{StoreError, TimeZone, Timestamp, UserId};
use serde_json::{Value, json};
use study::{Annotation, CSV_COLUMNS, ExportedSource, annotations, csv_rows};
use workflows::{
    rate_limits,
    study::{
        anki::{ExportedCards, exported_cards},
        exports::{exported_sources, markdown_zip},
    },
    tx::ReadTx,
};

use crate::{
    app::App,
    exports::csv_file,
    extract::{Query, StudyReader},
    http::{error::ApiError, openapi::TooManyTries},
    study::types::{ExportFormat, ExportParams},
};

impl ExportFormat {
    const fn content_type(self) -> &'static str {
        match self {
            Self::Markdown => "application/zip",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Json => "application/ld+json",
            Self::Anki => "application/octet-stream",
        }
    }

    const fn file_name(self) -> (&'static str, &'static str) {
        match self {
            Self::Markdown => ("highlights", "zip"),
            Self::Csv => ("highlights", "csv"),
            Self::Json => ("highlights", "json"),
            Self::Anki => ("review-cards", "apkg"),
        }
    }
}

/// What is exported, read in one transaction.
enum ExportContent {
    Highlights(Vec<ExportedSource>),
    Cards(ExportedCards),
}

/// Reads what a format has.
fn read_export(tx: &mut ReadTx<'_, '_>, member: UserId, format: ExportFormat) -> Result<ExportContent, StoreError> {
    match format {
        ExportFormat::Markdown | ExportFormat::Csv | ExportFormat::Json => {
            exported_sources(tx, member).map(ExportContent::Highlights)
        }
        ExportFormat::Anki => exported_cards(tx, member).map(ExportContent::Cards),
    }
}

/// The file of a format.
fn export_file(
    content: &ExportContent,
    format: ExportFormat,
    now: Timestamp,
    site: &SiteNames,
) -> Result<Bytes, ApiError> {
    match content {
        ExportContent::Cards(cards) => Ok(cards.package(&site.name, now).map_err(ApiError::internal)?.into()),
        ExportContent::Highlights(sources) => match format {
            ExportFormat::Csv => csv_file(&CSV_COLUMNS, csv_rows(sources).into_iter().map(Vec::from)),
            ExportFormat::Json => {
                Ok(serde_json::to_vec_pretty(&page(sources, &site.url)).map_err(ApiError::internal)?.into())
            }
            ExportFormat::Markdown | ExportFormat::Anki => {
                Ok(markdown_zip(sources, now).map_err(ApiError::internal)?.into())
            }
        },
    }
}

/// The names of the site in a file.
struct SiteNames {
    name: String,
    url: String,
}

/// All of the member's highlights, with notes and tags, as one file, or their review cards. Without a plan too. Of a book that the member may not read
/// now, the file has the highlighted words and nothing around them.
#[utoipa::path(
    tag = "study",
    params(ExportParams),
    responses(
        (
            status = 200,
            description = "The file.",
            content(
                (Vec<u8> = "application/zip"),
                (String = "text/csv"),
                (Value = "application/ld+json"),
                (Vec<u8> = "application/octet-stream")
            )
        ),
        TooManyTries
    ),
    security(("token" = []), ("apiToken" = []))
)]
#[get("/api/study/export")]
pub(super) async fn export_highlights(
    app: Data<App>,
    StudyReader(member): StudyReader,
    params: Query<ExportParams>,
) -> Result<HttpResponse, ApiError> {
    rate_limits::count(&app.transactions, RateLimitBucket::StudyExport, member.to_string()).await?;
    let format = params.format;
    let site = SiteNames { name: app.config.site.name.clone(), url: app.config.public_url.clone() };
    let read = move |tx: &mut ReadTx<'_, '_>| Ok((read_export(tx, member, format)?, tx.now()));
    let (content, now) = app.read_tx_from_replica::<_, StoreError, _>(read).await?;
    let file = block(move || export_file(&content, format, now, &site)).await.map_err(ApiError::internal)??;
    let (name, ending) = format.file_name();
    let name = format!("{name}-{}.{ending}", TimeZone::UTC.day_of(now));
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")))
        .insert_header((header::CONTENT_TYPE, format.content_type()))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .body(file))
}

/// The annotations as a page of W3C's Web Annotation model (`study.annotation-json`).
fn page(sources: &[ExportedSource], site: &str) -> Value {
    let items: Vec<Value> = annotations(sources).iter().map(|annotation| item(annotation, site)).collect();
    json!({ "@context": "http://www.w3.org/ns/anno.jsonld", "type": "AnnotationPage", "items": items })
}

fn item(annotation: &Annotation, site: &str) -> Value {
    let Annotation { id, created, modified, bodies, target } = annotation;
    let bodies = bodies.iter().map(|body| {
        json!({ "type": "TextualBody", "purpose": body.purpose.as_str(), "value": body.value, "format": "text/plain" })
    });
    let quote = &target.quote;
    let mut selectors = vec![json!({
        "type": "TextQuoteSelector",
        "exact": quote.exact,
        "prefix": quote.prefix.as_deref().unwrap_or_default(),
        "suffix": quote.suffix.as_deref().unwrap_or_default(),
    })];
    if let Some(position) = target.position {
        selectors.push(json!({ "type": "TextPositionSelector", "start": position.start, "end": position.end }));
    }
    json!({
        "id": format!("{site}/highlights#highlight-{id}"),
        "type": "Annotation",
        "motivation": "highlighting",
        "created": created,
        "modified": modified,
        "body": bodies.collect::<Vec<_>>(),
        "target": {
            // Of a source that was deleted only the name is left.
            "source": target.source.as_deref().unwrap_or("about:blank"),
            "styleClass": target.style_class.as_str(),
            "selector": selectors,
            "title": target.title,
            "author": target.author,
            "part": target.part.as_str(),
            "section": target.section,
            "sectionTitle": target.section_title,
            "state": target.state.as_str(),
        },
    })
}
