//! The listening socket: its limits, which its connections inherit, and how it is closed.

use std::{
    io,
    net::{Shutdown, TcpListener, TcpStream},
    os::fd::OwnedFd,
    time::Duration,
};

/// The system closes a connection whose other side acknowledges nothing for this long.
const TAKE_DEADLINE: Duration = Duration::from_mins(1);
/// How many connections wait to be accepted; the standard library has 128 wait.
const BACKLOG: i32 = 1024;
/// What the system buffers of a response for a client that reads slowly, in bytes; Linux doubles it for its own use. Left
/// to itself it takes some megabytes.
const SEND_BUFFER: usize = 128 * 1024;
/// Open files besides clients' connections: the database's connections, media that are read, the log.
const OTHER_FILES: u64 = 256;

/// Lets a burst of new connections wait instead of having each try again a second later; limits what the system buffers for a
/// client that reads slowly, and has it close a connection whose other side acknowledges nothing for a minute.
/// Connections inherit these limits from their listening socket.
pub fn configure_listener(listener: &TcpListener) -> io::Result<()> {
    let socket = socket2::SockRef::from(listener);
    socket.listen(BACKLOG)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    socket.set_tcp_user_timeout(Some(TAKE_DEADLINE))?;
    Ok(())
}

/// Raises the limit of open files to what the system allows, for connections; warns when that is too few.
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

/// Closes the listening sockets: a new connection is refused at once instead of waiting for a process that ends.
pub fn close_listener(listener: TcpListener) -> io::Result<()> {
    // The standard library shuts sockets down under the name of streams only; the server holds the same socket.
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
