//! Filters for the templates.
#![allow(
    clippy::unused_self,
    clippy::unnecessary_wraps,
    clippy::trivially_copy_pass_by_ref,
    reason = "the shape that askama wants"
)]

/// The CSS class of a category's hue, rounded to the nearest one in the stylesheet (steps of 15 degrees).
#[askama::filter_fn]
pub fn hue_class(hue: &u16, _: &dyn askama::Values) -> askama::Result<String> {
    Ok(format!("hue-{}", (u32::from(*hue) + 7) / 15 * 15 % 360))
}

/// Removes the highlight markers around search terms from a passage.
#[askama::filter_fn]
pub fn unmarked(text: &str, _: &dyn askama::Values) -> askama::Result<String> {
    Ok(text.chars().filter(|c| *c != catalogue::MARK_START && *c != catalogue::MARK_END).collect())
}

/// Formats a date (UTC) for readers: `November 19, 2026`.
#[askama::filter_fn]
pub fn long_date(millis: &i64, _: &dyn askama::Values) -> askama::Result<String> {
    Ok(crate::structured::long_day(*millis))
}

/// Formats a date (UTC) for programs: `2026-11-19`.
#[askama::filter_fn]
pub fn iso_date(millis: &i64, _: &dyn askama::Values) -> askama::Result<String> {
    Ok(crate::structured::iso_day(*millis))
}
