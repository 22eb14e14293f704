//! The state of the instance, as an operator asks for it (`admin.system-page`).

use std::sync::PoisonError;

use actix_web::{get, web::Data};
use config::{
    Profile,
    build::{COMMIT, RELEASE},
};
use jobs::{JobCount, JobQueries, State};
use kernel::StoreError;
use mail::SEND_MAIL;
use media::MediaConfig;
use operations::{QueueDepth, SystemReport};

use crate::{
    admin::{
        jobs_types::JobKinds,
        system_types::{Surroundings, SystemResult, SystemStore},
    },
    app::App,
    extract::Admin,
    http::{error::ApiError, wire::Answer},
};

/// What an operator asks first: version, processes, queue, mail, disk, backup, certificate and webhooks, and what is wrong.
#[utoipa::path(tag = "admin", responses((status = 200, description = "The state of the instance.", body = Answer<SystemResult>)), security(("token" = [])))]
#[get("/api/admin/system")]
pub(crate) async fn system(app: Data<App>, kinds: Data<JobKinds>, _: Admin) -> Result<Answer<SystemResult>, ApiError> {
    let (kinds, providers) = (kinds.0.clone(), app.gateways.providers());
    let read = app.db.read::<_, StoreError, _>(move |pg| {
        let webhooks =
            providers.iter().map(|provider| pg.webhook_activity(provider.as_str())).collect::<Result<Vec<_>, _>>()?;
        let (database, nodes) = (pg.database_use()?, pg.nodes()?);
        let (counts, sent) = (pg.job_counts(&kinds)?, pg.last_job_done(SEND_MAIL.name)?);
        Ok((database, nodes, counts, sent, pg.last_backup()?, webhooks))
    });
    let (read, files) = tokio::join!(read, app.media.check());
    let (database, nodes, counts, sent, backup, webhooks) = read?;
    let mail_server = app.mailer.transport().host().map(str::to_owned);
    let report = SystemReport {
        at: app.env.now(),
        release: RELEASE.to_owned(),
        database,
        nodes,
        queue: queue_depths(&counts),
        // A demo keeps its mails to show them.
        has_mail_server: mail_server.is_some() || app.config.profile == Profile::Demo,
        mail_kind: SEND_MAIL.name,
        file_problem: files.err().map(|error| error.to_string()),
        backup,
        certificate: app.certificate.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        webhooks,
    };
    let around = Surroundings {
        own_id: app.process_id.clone(),
        commit: COMMIT,
        schema: postgres::schema_version(),
        mail_server,
        last_sent_at: sent.map(kernel::Timestamp::millis),
        store: match app.config.media {
            MediaConfig::Folder => SystemStore::Folder,
            MediaConfig::S3(_) => SystemStore::Bucket,
        },
    };
    Ok(Answer::new(SystemResult::new(report, around)))
}

/// The kinds of which some jobs are not done, in their order.
fn queue_depths(counts: &[JobCount]) -> Vec<QueueDepth> {
    let mut depths: Vec<QueueDepth> = Vec::new();
    for count in counts.iter().filter(|count| count.count > 0 && count.state != State::Done) {
        let known = depths.iter().position(|depth| depth.kind == count.kind);
        let at = known.unwrap_or_else(|| {
            let kind = count.kind.to_owned();
            depths.push(QueueDepth { kind, queued: 0, running: 0, set_aside: 0, oldest_due_at: None });
            depths.len() - 1
        });
        let depth = &mut depths[at];
        match count.state {
            State::Queued => (depth.queued, depth.oldest_due_at) = (count.count, count.oldest_due_at),
            State::Running => depth.running = count.count,
            State::SetAside => depth.set_aside = count.count,
            State::Done => {}
        }
    }
    depths
}
