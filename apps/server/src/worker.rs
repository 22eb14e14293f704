//! Wires up the worker: the registry of all jobs.

use std::sync::Arc;

use jobs::{JobDefinition, JobKind, LongJob, Outcome, PayloadError};
use kernel::{SECOND, StoreError};
use mail::SendMail;
use page_fetch::PageFetcher;
use push::PushSender;
use text_extraction::{ProcessLimits, Reader};
use tokio::sync::watch;
use worker::{Monitor, Registry, Worker, WorkerParts};
use workflows::delivery::book_files::DeliverBook;
use workflows::{
    billing::{
        checkout::{
            DeliverGift, MailTrialNotice,
            events::ApplyProviderEvents,
            sweeps::{EndSurplus, SweepCheckouts, SweepSubscriptions},
        },
        membership::{
            pause_offers::OfferPauses,
            renewal_jobs::{DeferRenewal, StopRenewal},
        },
    },
    catalogue::{drawings::DrawInfographic, editing::books::PublishBooks},
    challenge::daily_mail::SendDailyMails,
    editorial::editing::publish_posts::PublishPosts,
    file_sweep::SweepFiles,
    housekeeping::{
        CountDays, RankTrending, RetryRemovals, SumAccounts, SweepJobs, SweepRateLimits, SweepRecords, SweepSessions,
    },
    identity::{account_import::ImportAccount, recovery::AnswerRecovery},
    reading_progress::publication_notices::SendPublicationNotices,
    recording_files::RemoveFile,
    referral::invite_friend::RecordSentInvitation,
    setup::LOAD_DEMO_CONTENT,
    study::{
        notices::SendStudyNotices,
        places::{CountPopularPassages, EmptyDeletedHighlights, FindHighlights},
        push::SendPush,
        webhooks::PostHighlight,
    },
    summaries::summarise::Summarise,
};

use crate::backups;
use web::app::App;

/// The job that mails books to e-readers.
fn delivery(app: &App) -> DeliverBook {
    DeliverBook {
        transactions: app.transactions.clone(),
        seal: app.seal.clone(),
        env: Arc::clone(&app.env),
        files: app.book_files.clone(),
        mailer: Arc::clone(&app.mailer),
    }
}

/// The job that sends a push message. Push services may write to the site about it.
fn push(app: &App) -> SendPush {
    SendPush {
        transactions: app.transactions.clone(),
        env: Arc::clone(&app.env),
        sender: PushSender::new(app.poster.clone(), format!("mailto:{}", app.config.site.support_email.as_str())),
    }
}

/// The job that posts new highlights to members' webhooks.
fn highlight_webhooks(app: &App) -> PostHighlight {
    PostHighlight { transactions: app.transactions.clone(), env: Arc::clone(&app.env), poster: app.poster.clone() }
}

/// The job that lets the payment sandbox charge due renewals, and handles its webhooks.
struct TakeSandboxWebhooks(Arc<App>);

impl JobDefinition for TakeSandboxWebhooks {
    const KIND: JobKind = JobKind::long("sandbox_webhooks").every(20 * SECOND);
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

impl LongJob for TakeSandboxWebhooks {
    async fn run_long(&self, (): &()) -> Outcome {
        match self.0.take_sandbox_webhooks().await {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::Failed { reason: error.to_string(), is_permanent: false },
        }
    }
}

/// The job that loads the demo content, for who has asked for it on the setup page.
struct LoadDemoContent(Arc<App>);

impl JobDefinition for LoadDemoContent {
    const KIND: JobKind = LOAD_DEMO_CONTENT;
    type Payload = ();

    fn decode(&self, _: &[u8]) -> Result<(), PayloadError> {
        Ok(())
    }
}

impl LongJob for LoadDemoContent {
    async fn run_long(&self, (): &()) -> Outcome {
        let App { db, env, media, config, .. } = &*self.0;
        // The site may have been named in the transaction that queued this.
        let name = match self.0.current_site_name().await {
            Ok(name) => name,
            Err(error) => return Outcome::Failed { reason: error.to_string(), is_permanent: false },
        };
        let target = seed::Target { db, env: &**env, media };
        let loading = seed::load_content(&target, None, &name, config.speech.enabled);
        // Boxed: it is far larger than the other jobs.
        match Box::pin(loading).await {
            Ok(tally) => {
                tracing::info!("{tally}");
                Outcome::Done
            }
            Err(error) => Outcome::Failed { reason: format!("{error:#}"), is_permanent: false },
        }
    }
}

/// The job that summarises members' own pages, files and texts. Documents are read in a child process of this program.
fn summarise(app: &App) -> Summarise {
    let bot = format!("SummaryBot/1.0 (+{}/ai)", app.config.public_url);
    Summarise {
        transactions: app.transactions.clone(),
        env: Arc::clone(&app.env),
        fetcher: PageFetcher::new(bot),
        model: app.summary_model.clone(),
        reader: Reader::new(app.config.program.clone(), vec!["read-document".into()], ProcessLimits::default()),
    }
}

/// The job that imports archives into members' accounts.
fn import(app: &App) -> ImportAccount {
    ImportAccount { transactions: app.transactions.clone(), env: Arc::clone(&app.env) }
}

/// All jobs of the configured profile.
pub fn registry(app: &Arc<App>) -> Registry {
    let registry = every_profile(app);
    if app.gateways.sandbox().is_some() { registry.long(TakeSandboxWebhooks(Arc::clone(app))) } else { registry }
}

/// The jobs that every profile has.
fn every_profile(app: &Arc<App>) -> Registry {
    Registry::new()
        .external(SendMail(Arc::clone(&app.mailer)))
        .transactional(PublishBooks { transactions: app.transactions.clone() })
        .transactional(PublishPosts { transactions: app.transactions.clone() })
        .records_end(RecordSentInvitation(app.seal.clone()))
        .transactional(AnswerRecovery { seal: app.seal.clone(), transactions: app.transactions.clone() })
        .long(app.narrator())
        .external(delivery(app))
        .records_end(delivery(app))
        .long(RemoveFile { db: app.db.clone(), media: Arc::clone(&app.media) })
        .long(LoadDemoContent(Arc::clone(app)))
        .long(backups::job(app))
        .long(SweepFiles { db: app.db.clone(), media: Arc::clone(&app.media), env: Arc::clone(&app.env) })
        .long(DrawInfographic {
            db: app.db.clone(),
            media: Arc::clone(&app.media),
            env: Arc::clone(&app.env),
            site: app.config.site.name.clone(),
        })
        .long(DeferRenewal(app.payments.clone()))
        .long(StopRenewal(app.payments.clone()))
        .long(import(app))
        .records_end(import(app))
        .long(summarise(app))
        .records_end(summarise(app))
        .transactional(SendPublicationNotices(app.transactions.clone()))
        .long(SendDailyMails(app.transactions.clone()))
        .long(SendStudyNotices(app.transactions.clone()))
        .long(push(app))
        .long(highlight_webhooks(app))
        .records_end(highlight_webhooks(app))
        .long(FindHighlights(app.transactions.clone()))
        .long(CountPopularPassages(app.transactions.clone()))
        .long(EmptyDeletedHighlights(app.transactions.clone()))
        .long(ApplyProviderEvents(app.payments.clone()))
        .long(SweepCheckouts(app.payments.clone()))
        .long(SweepSubscriptions(app.payments.clone()))
        .long(EndSurplus(app.payments.clone()))
        .long(OfferPauses(app.transactions.clone()))
        .transactional(MailTrialNotice(app.transactions.clone()))
        .transactional(DeliverGift(app.transactions.clone()))
        .transactional(RankTrending(Arc::clone(&app.env)))
        .transactional(CountDays(Arc::clone(&app.env)))
        .transactional(SumAccounts(Arc::clone(&app.env)))
        .transactional(SweepSessions(Arc::clone(&app.env)))
        .transactional(SweepRateLimits(Arc::clone(&app.env)))
        .transactional(SweepJobs(Arc::clone(&app.env)))
        .transactional(RetryRemovals(Arc::clone(&app.env)))
        .transactional(SweepRecords {
            env: Arc::clone(&app.env),
            events_kept_days: app.config.events_kept_days,
            messages_kept_days: app.config.messages_kept_days,
        })
}

fn worker(app: &Arc<App>) -> Worker {
    Worker::new(WorkerParts {
        db: app.db.clone(),
        env: Arc::clone(&app.env),
        queued: Arc::clone(&app.jobs_queued),
        monitor: Arc::clone(&app.metrics) as Arc<dyn Monitor>,
        registry: registry(app),
    })
}

/// Runs jobs until `stop` changes, then finishes the running ones within the drain timeout.
pub async fn run(app: Arc<App>, stop: watch::Receiver<bool>) {
    worker(&app).run(stop, app.config.drain).await;
    app.mailer.close().await;
}

/// [`Worker::work_off`].
pub async fn work_off(app: &Arc<App>) -> Result<usize, StoreError> {
    worker(app).work_off().await
}

/// [`Worker::queue_scheduled`].
pub async fn queue_scheduled(app: &Arc<App>) -> Result<usize, StoreError> {
    worker(app).queue_scheduled().await
}
