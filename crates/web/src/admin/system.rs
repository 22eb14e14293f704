//! The state of the instance, as an operator asks for it (`admin.system-page`).

use actix_web::{get, web::Data};
use config::build::COMMIT;
use kernel::{StoreError, Timestamp};
use mail::SEND_MAIL;
use media::MediaConfig;

use crate::{
    admin::{
        jobs_types::JobKinds,
        system_types::{ProcessFacts, SystemResult, SystemStore},
    },
    app::App,
    extract::Admin,
    http::{error::ApiError, wire::Answer},
};

/// What an operator asks first: version, processes, queue, mail, disk, backup, certificate and webhooks, and what is wrong.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The state of the instance.", body = Answer<SystemResult>)), security(("token" = [])))]
#[get("/api/admin/system")]
pub(crate) async fn system(app: Data<App>, kinds: Data<JobKinds>, _: Admin) -> Result<Answer<SystemResult>, ApiError> {
    let last_sent = app.db.read::<_, StoreError, _>(|pg| pg.last_job_done(SEND_MAIL.name));
    let (state, last_sent, files) = tokio::join!(app.instance_state(kinds.0.clone()), last_sent, app.media.check());
    let facts = ProcessFacts {
        own_id: app.process_id.clone(),
        commit: COMMIT,
        schema: postgres::schema_version(),
        mail_server: app.mailer.transport().host().map(str::to_owned),
        last_sent_at: last_sent?.map(Timestamp::millis),
        store: match app.config.media {
            MediaConfig::Folder => SystemStore::Folder,
            MediaConfig::S3(_) => SystemStore::Bucket,
        },
    };
    let report = app.system_report(state?, files.err().map(|error| error.to_string()));
    Ok(Answer::new(SystemResult::new(report, facts)))
}
