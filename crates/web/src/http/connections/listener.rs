//! The listening socket: its limits, which accepted connections inherit, and how it is closed.

use std::{
    io,
    net::{Shutdown, TcpListener, TcpStream},
    os::fd::OwnedFd,
    time::Duration,
};

/// `TCP_USER_TIMEOUT`: the system closes a connection when sent data stays unacknowledged for this long.
const TAKE_DEADLINE: Duration = Duration::from_mins(1);
/// The backlog of connections that wait to be accepted. The standard library's default is 128.
const BACKLOG: i32 = 1024;
/// The socket's send buffer for a client that reads slowly, in bytes; Linux doubles it for its own use. The default may grow
/// to several megabytes.
const SEND_BUFFER: usize = 128 * 1024;
/// Reserved open files besides clients' connections: database connections, media files, the log.
const OTHER_FILES: u64 = 256;

/// Sets the backlog (otherwise clients in a burst retry a second later), the send buffer, and the timeout for unacknowledged
/// data. Accepted connections inherit these from the listening socket.
pub fn configure_listener(listener: &TcpListener) -> io::Result<()> {
    let socket = socket2::SockRef::from(listener);
    socket.listen(BACKLOG)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    socket.set_tcp_user_timeout(Some(TAKE_DEADLINE))?;
    Ok(())
}

/// Raises the limit of open files to the hard limit; logs a warning when that is too low for `connections`.
pub fn raise_open_files(connections: usize) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    let current = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    if current < connections as u64 + OTHER_FILES {
        tracing::warn!(
            open_files = current,
            connections,
            "the limit of open files (`ulimit -n`) is too low for CONNECTIONS"
        );
    }
}

/// Shuts down the listening socket: new connections are refused at once instead of waiting for a process that is stopping.
pub fn close_listener(listener: TcpListener) -> io::Result<()> {
    // The standard library offers `shutdown` on streams only. The server holds a duplicate of the same socket.
    TcpStream::from(OwnedFd::from(listener)).shutdown(Shutdown::Both)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn every_connection_has_the_limits_of_its_listener() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        configure_listener(&listener).unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (connection, _) = listener.accept().unwrap();
        let deadline = socket2::SockRef::from(&connection).tcp_user_timeout().unwrap();
        assert_eq!(deadline, Some(Duration::from_mins(1)));
        assert_eq!(socket2::SockRef::from(&connection).send_buffer_size().unwrap(), 2 * SEND_BUFFER);
    }
}
