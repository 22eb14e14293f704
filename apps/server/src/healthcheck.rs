//! `pith healthcheck`: asks the server or the worker on this machine whether it is ready.

use std::{
    io::{BufRead, BufReader, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    time::Duration,
};

use anyhow::{Context, bail};
use kernel::config::Variables;

/// How long connecting, asking and answering may take, each.
const PATIENCE: Duration = Duration::from_secs(5);

/// Asks for `/readyz` at `BIND` and `PORT`, or those of a worker.
///
/// # Errors
/// The server can't be reached, or is not ready.
pub fn ask(is_worker: bool) -> anyhow::Result<()> {
    let vars = Variables::from_env();
    let (bind, port) = config::listen_address(&vars);
    let port = if is_worker { config::worker_port(&vars) } else { Some(port) };
    let (bind, port) = vars.finish(Some((bind, port)))?;
    let port = port.context("WORKER_PORT is off: the worker can't be asked")?;
    let address = SocketAddr::new(reachable(bind), port);
    let status = status_of(address).with_context(|| format!("the server at {address} does not answer"))?;
    if status != "200" {
        bail!("the server at {address} is not ready: /readyz answers {status}");
    }
    Ok(())
}

/// The address at which this machine reaches a server that listens on all of its addresses.
fn reachable(bind: IpAddr) -> IpAddr {
    match bind {
        IpAddr::V4(v4) if v4.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(v6) if v6.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        other => other,
    }
}

fn status_of(address: SocketAddr) -> anyhow::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write!(stream, "GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line)?;
    Ok(line.split(' ').nth(1).context("no answer of HTTP")?.to_owned())
}
