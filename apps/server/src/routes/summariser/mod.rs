//! `/api/ai/…`: summaries of a member's own pages, files and texts (`summaries.paid-members`).

mod ask;
mod files;
mod summaries;
mod types;

use utoipa_actix_web::service_config::ServiceConfig;

/// The calls of this folder.
pub fn configure(config: &mut ServiceConfig) {
    config.service(ask::summarise_url).service(ask::summarise_file).service(ask::summarise_text);
    config.service(summaries::list_summaries).service(summaries::show_summary).service(summaries::rename_summary);
    config.service(summaries::delete_summary).service(summaries::cancel_summary);
    config.service(files::summary_pdf).service(files::summary_epub).service(files::send_summary);
}
