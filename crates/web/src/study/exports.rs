//! `GET /api/study/export`.

use actix_web::{HttpResponse, get, http::header, web::Data};
use bytes::Bytes;
use identity::RateLimitBucket;
use kernel::{StoreError, TimeZone, Timestamp};
use serde_json::{Value, json};
use study::{Annotation, CSV_COLUMNS, ExportedSource, annotations, csv_rows};
use workflows::{
    rate_limits,
    study::exports::{exported_sources, markdown_zip},
};

use crate::{
    app::App,
    exports::csv_file,
    extract::{Member, Query},
    http::{error::ApiError, openapi::TooManyTries},
    study::types::{ExportParams, HighlightFormat},
};

impl HighlightFormat {
    const fn content_type(self) -> &'static str {
        match self {
            Self::Markdown => "application/zip",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Json => "application/ld+json",
        }
    }

    const fn ending(self) -> &'static str {
        match self {
            Self::Markdown => "zip",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }

    fn file(self, sources: &[ExportedSource], now: Timestamp, site: &str) -> Result<Bytes, ApiError> {
        match self {
            Self::Markdown => Ok(markdown_zip(sources, now).map_err(ApiError::internal)?.into()),
            Self::Csv => csv_file(&CSV_COLUMNS, csv_rows(sources).into_iter().map(Vec::from)),
            Self::Json => Ok(serde_json::to_vec_pretty(&page(sources, site)).map_err(ApiError::internal)?.into()),
        }
    }
}

/// All of the member's highlights, with notes and tags, as one file. Without a plan too. Of a book that the member may not read
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
                (Value = "application/ld+json")
            )
        ),
        TooManyTries
    ),
    security(("token" = []))
)]
#[get("/api/study/export")]
pub(super) async fn export_highlights(
    app: Data<App>,
    Member(claims): Member,
    params: Query<ExportParams>,
) -> Result<HttpResponse, ApiError> {
    let member = claims.user;
    rate_limits::count(&app.transactions, RateLimitBucket::StudyExport, member.to_string()).await?;
    let (sources, site, now) = app
        .read_tx_from_replica::<_, StoreError, _>(move |tx| {
            Ok((exported_sources(tx, member)?, tx.settings.public_url.clone(), tx.now()))
        })
        .await?;
    let format = params.format;
    let file = format.file(&sources, now, &site)?;
    let name = format!("highlights-{}.{}", TimeZone::UTC.day_of(now), format.ending());
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
