//! Small helpers of the templates.
#![allow(
    clippy::unused_self,
    clippy::unnecessary_wraps,
    clippy::trivially_copy_pass_by_ref,
    reason = "the shape that askama wants"
)]

/// The class that carries a category's hue: the nearest of those in the web app's styles.
#[askama::filter_fn]
pub fn hue_class(hue: &u16, _: &dyn askama::Values) -> askama::Result<String> {
    Ok(format!("hue-{}", (u32::from(*hue) + 7) / 15 * 15 % 360))
}

/// A passage without the marks around the words that were searched for.
#[askama::filter_fn]
pub fn unmarked(text: &str, _: &dyn askama::Values) -> askama::Result<String> {
    Ok(text.chars().filter(|c| *c != catalogue::MARK_START && *c != catalogue::MARK_END).collect())
}

/// A day (UTC) as people read it.
#[askama::filter_fn]
pub fn long_date(millis: &i64, _: &dyn askama::Values) -> askama::Result<String> {
    Ok(crate::structured::long_day(*millis))
}

/// A day (UTC) for programs.
#[askama::filter_fn]
pub fn iso_date(millis: &i64, _: &dyn askama::Values) -> askama::Result<String> {
    Ok(crate::structured::iso_day(*millis))
}
