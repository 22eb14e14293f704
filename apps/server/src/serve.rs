//! The web server of a process: made, run and drained.

use std::{net::TcpListener, sync::Arc, time::Duration};

use actix_web::{
    App as ActixApp, HttpServer,
    dev::{Server, ServerHandle},
    middleware::from_fn,
    web::{self, Data},
};
use anyhow::Context;
use tracing_actix_web::TracingLogger;
use utoipa_actix_web::AppExt;

use crate::{
    app::App,
    extract::{path_config, query_config},
    metrics,
    middleware::{RequestLog, head_as_get, refuse_other_sites, rewrite_addresses, security_headers},
    openapi, pages, routes, upkeep,
};

/// Request heads that take longer are closed.
const HEAD_DEADLINE: Duration = Duration::from_secs(10);
/// Idle connections are kept this long.
const KEEP_ALIVE: Duration = Duration::from_mins(1);

/// Makes the server on a socket that listens already.
pub fn server(app: &Arc<App>, listener: TcpListener) -> anyhow::Result<Server> {
    let data = Data::from(Arc::clone(app));
    let document = Data::new(routes::ops::Document::new(&openapi::document())?);
    let config = &app.config;
    // Reads, writes and password hashes each block a thread for as long as they run.
    let blocking = (config.read_connections + config.write_connections) as usize / config.workers + 2;
    let server = HttpServer::new(move || {
        ActixApp::new()
            .app_data(data.clone())
            .app_data(document.clone())
            .app_data(path_config())
            .app_data(query_config())
            // The last one wrapped is the first to see a request.
            .wrap(from_fn(refuse_other_sites))
            .wrap(from_fn(security_headers))
            .wrap(from_fn(metrics::count))
            .wrap(TracingLogger::<RequestLog>::new())
            .wrap(from_fn(head_as_get))
            .wrap(from_fn(rewrite_addresses))
            .into_utoipa_app()
            .configure(routes::configure)
            .into_app()
            .configure(routes::ops::configure)
            .configure(pages::configure)
            .default_service(web::to(pages::not_found))
    })
    .workers(config.workers)
    .worker_max_blocking_threads(blocking)
    .client_request_timeout(HEAD_DEADLINE)
    .client_disconnect_timeout(Duration::from_secs(5))
    .keep_alive(KEEP_ALIVE)
    .shutdown_timeout(config.drain.as_secs())
    .disable_signals()
    .server_hostname(config.public_url.clone())
    .listen(listener)
    .context("the web server can't listen")?
    .run();
    Ok(server)
}

/// Serves until the process is told to stop, then drains.
pub async fn serve(app: Arc<App>) -> anyhow::Result<()> {
    let (bind, port) = (app.config.bind, app.config.port);
    let listener =
        TcpListener::bind((bind, port)).with_context(|| format!("PORT: {bind}:{port} can't be listened on"))?;
    let server = server(&app, listener)?;
    let upkeep = tokio::spawn(upkeep::run(Data::from(Arc::clone(&app))));
    let stopping = tokio::spawn(stop_on_signal(server.handle()));
    tracing::info!(%bind, port, public_url = app.config.public_url, profile = ?app.config.profile, "serving");
    server.await?;
    upkeep.abort();
    stopping.abort();
    if let Err(error) = upkeep::flush_opens(&app).await {
        tracing::warn!(%error, "opens of books could not be written down");
    }
    tracing::info!("stopped");
    Ok(())
}

/// SIGTERM and Ctrl-C: no new connections, running requests end, then the process does.
async fn stop_on_signal(server: ServerHandle) -> anyhow::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => {},
        _ = interrupt.recv() => {},
    }
    tracing::info!("stopping: running requests are finished first");
    server.stop(true).await;
    Ok(())
}
