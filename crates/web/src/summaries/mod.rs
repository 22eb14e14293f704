//! `/api/ai/…`: summaries of a member's own pages, files and texts (`summaries.paid-members`).

mod ask;
mod errors;
mod files;
mod list;
mod types;

use crate::http::openapi::Routes;

/// Registers the API routes of this module.
pub fn configure(config: &mut impl Routes) {
    config.service(ask::summarise_url).service(ask::summarise_file).service(ask::summarise_text);
    config.service(list::list_summaries).service(list::show_summary).service(list::rename_summary);
    config.service(list::delete_summary).service(list::cancel_summary);
    config.service(files::summary_pdf).service(files::summary_epub).service(files::send_summary);
}
