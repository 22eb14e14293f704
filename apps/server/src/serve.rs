//! Builds, runs and drains the web server of a process.

use std::{io, net::TcpListener, sync::Arc, time::Duration};

use actix_http::{HttpService, Protocol, error::DispatchError};
use actix_service::{IntoServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::{
    App as ActixApp, Error, HttpServer,
    dev::{AppConfig, Server, ServerHandle},
    middleware::from_fn,
    rt::net::TcpStream as ClientSocket,
    web::{self, Data},
};
use anyhow::Context;
use config::Profile;
use kernel::StoreError;
use operations::NodeKind;
use postgres::PgRead;
use telemetry::logs;
use tokio::sync::watch;
use tracing_actix_web::TracingLogger;

use crate::{
    report::{Reporter, deregister},
    startup::warn_of_services,
    upkeep::Upkeep,
    worker,
};
use ::web::{
    JobKinds,
    app::App,
    http::connections::{
        ClientStream, Connections, PART, Slot, WRITE_DEADLINE, close_listener, configure_listener, raise_open_files,
    },
    middleware::{
        RequestLog, close_when_draining, count_requests, head_as_get, log_security_events, refuse_long_targets,
        refuse_other_sites, rewrite_addresses, security_headers, send_in_parts,
    },
};

/// Timeout for receiving a request head; the connection is closed after that.
const HEAD_DEADLINE: Duration = Duration::from_secs(10);
/// Keep-alive timeout of idle connections.
const KEEP_ALIVE: Duration = Duration::from_mins(1);

/// Builds the server on a socket that already listens.
pub fn server(app: &Arc<App>, listener: TcpListener) -> anyhow::Result<Server> {
    let data = Data::from(Arc::clone(app));
    let document = Data::from(::web::site::ops::Document::shared()?);
    let kinds = Data::new(JobKinds(worker::registry(app).kinds().to_vec()));
    let config = &app.config;
    configure_listener(&listener).context("the listening socket can't be configured")?;
    // Reads, writes and password hashes each block a thread for as long as they run.
    let blocking = config.database.pooled_connections() as usize / config.workers + 2;
    let builder = Server::build()
        .workers(config.workers)
        .worker_max_blocking_threads(blocking)
        .max_concurrent_connections(config.connections.div_ceil(config.workers))
        .shutdown_timeout(config.drain.as_secs())
        .disable_signals();
    let stopping = builder.graceful_shutdown_signal();
    let app = Arc::clone(app);
    let service = move || {
        let (app, stopping) = (Arc::clone(&app), stopping.clone());
        let routed = ActixApp::new()
            .app_data(data.clone())
            .app_data(document.clone())
            .app_data(kinds.clone())
            // The middleware that is wrapped last sees a request first.
            .wrap(from_fn(refuse_other_sites))
            .wrap(from_fn(refuse_long_targets))
            .wrap(from_fn(send_in_parts))
            .wrap(from_fn(log_security_events))
            .wrap(from_fn(security_headers))
            .wrap(from_fn(count_requests))
            .wrap(TracingLogger::<RequestLog>::new())
            .wrap(from_fn(head_as_get))
            .wrap(from_fn(rewrite_addresses))
            .wrap(from_fn(close_when_draining))
            .configure(::web::configure)
            .configure(::web::site::ops::configure)
            .configure(::web::configure_pages)
            .default_service(web::to(::web::site::not_found))
            .into_factory()
            .map_err(|error: Error| error.error_response());
        let http = HttpService::build()
            .client_request_timeout(HEAD_DEADLINE)
            .client_disconnect_timeout(Duration::from_secs(5))
            .keep_alive(KEEP_ALIVE)
            .h1_write_buffer_size(PART)
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            .finish(map_config(routed, |()| AppConfig::default()));
        fn_service(move |socket: ClientSocket| {
            let accepted = accept(socket, &app);
            async move { accepted }
        })
        .and_then(http)
    };
    Ok(builder.listen("http", listener, service).context("the web server can't listen")?.run())
}

/// Sets up an accepted connection, unless its client has reached its connection limit.
fn accept(
    socket: ClientSocket,
    app: &App,
) -> Result<(ClientStream, Protocol, Option<std::net::SocketAddr>), DispatchError> {
    let peer = socket.peer_addr()?;
    // Disables Nagle's algorithm: the last part of a response would wait for the acknowledgement of the previous one.
    socket.set_nodelay(true)?;
    let address = peer.ip().to_canonical();
    // Clients behind a trusted proxy are limited per request. A loopback client may be a proxy that is not configured.
    let slot = if address.is_loopback() || app.config.is_trusted_proxy(address) {
        Slot::unlimited()
    } else {
        Connections::admit(&app.connections, address)
            .ok_or_else(|| io::Error::new(io::ErrorKind::QuotaExceeded, "the client holds too many connections"))?
    };
    Ok((ClientStream::new(socket, slot, WRITE_DEADLINE), Protocol::Http1, Some(peer)))
}

/// Why a process has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// By SIGTERM or Ctrl-C.
    BySignal,
    /// The site was set up under another name: the process has to start again to take it up.
    SiteRenamed,
}

/// Serves until SIGTERM or Ctrl-C, or until the site has another name; then drains.
pub async fn serve(app: Arc<App>) -> anyhow::Result<Stopped> {
    raise_open_files(app.config.connections);
    app.check_secret().await?;
    warn_of_rights(&app).await;
    let (bind, port) = (app.config.bind, app.config.port);
    let listener =
        TcpListener::bind((bind, port)).with_context(|| format!("PORT: {bind}:{port} can't be listened on"))?;
    let listening_socket = listener.try_clone().context("the listening socket can't be shared")?;
    let server = server(&app, listener)?;
    let own = Upkeep::of(&app);
    let upkeep = tokio::spawn(async move { own.run().await });
    let reports = tokio::spawn(Reporter::new(&app, NodeKind::Serve).run());
    let (stop_working, told_to_stop) = watch::channel(false);
    tokio::spawn(warn_of_services(Arc::clone(&app)));
    let working = app.config.worker.then(|| tokio::spawn(worker::run(Arc::clone(&app), told_to_stop)));
    let stopping =
        tokio::spawn(drain_when_stopped(shutdown_signal()?, Arc::clone(&app), server.handle(), listening_socket));
    tracing::info!(%bind, port, public_url = app.config.public_url, profile = ?app.config.profile, "serving");
    server.await?;
    upkeep.abort();
    reports.abort();
    let stopped = stopping.await.context("the drain broke")??;
    // Only now: the last requests may have queued jobs.
    stop_working.send_replace(true);
    if let Some(working) = working {
        working.await.context("the worker broke")?;
    }
    if let Err(error) = Upkeep::of(&app).flush_counts().await {
        tracing::warn!(%error, "counts could not be written to the database");
    }
    deregister(&app).await;
    tracing::info!("stopped");
    Ok(stopped)
}

/// Logs a warning in production when the process's database user could change the ledger. Does not wait for a database that
/// is unreachable.
async fn warn_of_rights(app: &App) {
    if app.config.profile == Profile::Production && can_change_ledger(app).await.unwrap_or(false) {
        tracing::warn!(
            "DATABASE_URL: its user could change the ledger and the audit log; give `serve` and `worker` a user of their own, and \
             the owner of the tables to `migrate` by DATABASE_OWNER_URL"
        );
    }
}

/// Whether the process's database user could change or delete rows of the append-only tables (ledger, audit log).
pub async fn can_change_ledger(app: &App) -> Result<bool, StoreError> {
    let ask = |pg: &mut PgRead<'_>| pg.can_change_ledger();
    app.db.read(ask).await
}

/// Runs jobs, without serving the site, until SIGTERM or Ctrl-C, or until the site has another name; then finishes the running jobs.
/// Its port answers health checks and metrics.
pub async fn work(app: Arc<App>) -> anyhow::Result<Stopped> {
    app.check_secret().await?;
    warn_of_rights(&app).await;
    let shutdown_signal = shutdown_signal()?;
    let health = app.config.worker_port.map(|port| health_server(&app, port)).transpose()?;
    let health_handle = health.as_ref().map(Server::handle);
    tokio::spawn(async move {
        if let Some(health) = health {
            // It ends with the process; an error here would be one of the system.
            drop(health.await);
        }
    });
    warn_of_services(Arc::clone(&app)).await;
    let reports = tokio::spawn(Reporter::new(&app, NodeKind::Worker).run());
    let (stop_working, told_to_stop) = watch::channel(false);
    let working = tokio::spawn(worker::run(Arc::clone(&app), told_to_stop));
    tracing::info!(mail = ?app.mailer.transport(), port = app.config.worker_port, "working");
    let own = Upkeep::of(&app);
    let sweeping = tokio::spawn(async move { own.sweep_files().await });
    let stopped = stop_requested(shutdown_signal, &app).await;
    sweeping.abort();
    reports.abort();
    tracing::info!("stopping: running jobs are finished first");
    stop_working.send_replace(true);
    working.await.context("the worker broke")?;
    deregister(&app).await;
    if let Some(handle) = health_handle {
        handle.stop(false).await;
    }
    tracing::info!("stopped");
    Ok(stopped)
}

/// The server of a worker's port: health and metrics, nothing of the site.
fn health_server(app: &Arc<App>, port: u16) -> anyhow::Result<Server> {
    let bind = app.config.bind;
    let listener =
        TcpListener::bind((bind, port)).with_context(|| format!("WORKER_PORT: {bind}:{port} can't be listened on"))?;
    let data = Data::from(Arc::clone(app));
    let server =
        HttpServer::new(move || ActixApp::new().app_data(data.clone()).configure(::web::site::ops::configure_health));
    Ok(server.workers(1).disable_signals().shutdown_timeout(1).listen(listener)?.run())
}

/// Completes when the process has to stop.
async fn stop_requested(shutdown_signal: impl Future<Output = ()>, app: &App) -> Stopped {
    tokio::select! {
        () = shutdown_signal => Stopped::BySignal,
        () = app.name_changed.notified() => {
            tracing::info!("the site has another name now: starting again under it");
            Stopped::SiteRenamed
        }
    }
}

/// Completes at SIGTERM or Ctrl-C. They are caught from the call on, not from the first poll.
pub fn shutdown_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {},
            _ = interrupt.recv() => {},
        }
    })
}

/// Drains the server when the process has to stop.
async fn drain_when_stopped(
    shutdown_signal: impl Future<Output = ()>,
    app: Arc<App>,
    server: ServerHandle,
    listening_socket: TcpListener,
) -> anyhow::Result<Stopped> {
    let stopped = stop_requested(shutdown_signal, &app).await;
    tracing::info!("stopping: running requests are finished first");
    drain(&app, &server, listening_socket).await?;
    Ok(stopped)
}

/// Polling interval while draining: checks whether requests still arrive.
const LOOK: Duration = Duration::from_millis(50);
/// After more than this many polls without a request, all open connections count as idle.
const QUIET: u32 = 5;
/// The maximum number of polls. Requests that still run then are left to the server's graceful stop, which waits for them.
const MOST: u32 = 40;

/// Stops without dropping a request. The server's graceful stop finishes running requests, but closes connections with a
/// request that was not read yet. So this first stops accepting connections, then sends `Connection: close` with the next
/// response of each open one, and stops the server once the remaining connections are idle.
pub async fn drain(app: &App, server: &ServerHandle, listening_socket: TcpListener) -> anyhow::Result<()> {
    server.pause().await;
    logs::expect_closed_listener();
    close_listener(listening_socket).context("the listening socket can't be closed")?;
    app.start_draining();
    let mut looks = tokio::time::interval(LOOK);
    let (mut quiet, mut answered) = (0, app.metrics.begun());
    for _ in 0..MOST {
        looks.tick().await;
        let now = app.metrics.begun();
        quiet = if now == answered && app.metrics.is_idle() { quiet + 1 } else { 0 };
        answered = now;
        if quiet > QUIET {
            break;
        }
    }
    server.stop(true).await;
    Ok(())
}
