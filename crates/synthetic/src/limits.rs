//! Performance limits of this machine, with which `cargo xtask bench` compares the server.

use std::net::IpAddr;

use actix_web::{App, HttpResponse, HttpServer, web};

/// Serves 12 KB from memory and nothing else: the maximum throughput of the web framework on this machine.
pub(crate) async fn serve_static(bind: IpAddr, port: u16) -> anyhow::Result<()> {
    let body = bytes::Bytes::from(vec![b'x'; 12 * 1024]);
    HttpServer::new(move || {
        let body = body.clone();
        App::new().default_service(web::to(move || {
            let body = body.clone();
            async move { HttpResponse::Ok().content_type("application/json").body(body) }
        }))
    })
    .bind((bind, port))?
    .run()
    .await?;
    Ok(())
}

/// Hashes passwords on every core for this many seconds; returns hashes per second.
pub(crate) fn hashes_per_second(seconds: u64) -> f64 {
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let started = std::time::Instant::now();
    let deadline = std::time::Duration::from_secs(seconds);
    let count: u32 = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut count = 0;
                    while started.elapsed() < deadline {
                        identity::verify_password("not the password", None);
                        count += 1;
                    }
                    count
                })
            })
            .collect();
        running.into_iter().map(|thread| thread.join().unwrap_or(0)).sum()
    });
    f64::from(count) / started.elapsed().as_secs_f64()
}
