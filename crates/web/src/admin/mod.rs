//! The back office: people, the audit log, statistics, the overview for editors, mails, jobs and the state
//! of the instance. The back office's routes for books, money and other
//! features are in the modules `back_office` of those.

mod audit;
mod audit_types;
mod content_overview;
mod content_overview_types;
mod errors;
mod jobs;
mod jobs_types;
mod mails;
mod mails_types;
mod people;
mod people_types;
mod stats;
pub(crate) mod stats_types;
mod system;
mod system_types;

use crate::http::openapi::Routes;

pub use jobs_types::JobKinds;

/// Registers the API routes of this module.
pub(crate) fn configure(config: &mut impl Routes) {
    config.service(mails::overview).service(mails::mails).service(mails::retry_mail).service(mails::retry_mails);
    config.service(system::system);
    config.service(jobs::list_jobs).service(jobs::retry_set_aside_job);
    config.service(audit::audit_log);
    config.service(content_overview::content_overview);
    config.service(stats::business_stats).service(stats::book_stats);
    config.service(people::user).service(people::edit_user).service(people::set_role);
    config.service(people::suspend_user).service(people::restore_user).service(people::end_user_sessions);
    config.service(people::reset_factor).service(people::export_user).service(people::delete_user);
    config.service(people::add_user).service(people::users).service(people::export_users);
}
