//! Connections of clients: how many each may hold, and how slowly it may read.

use std::{
    collections::HashMap,
    io,
    net::IpAddr,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use actix_web::rt::net::TcpStream;
use identity::network_of;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// A client takes each full buffer of a response (some 16 kB, and a third of the system's buffer) within this time, or its
/// connection is closed. It may be a player that is paused: players request the rest when they need it.
pub const WRITE_DEADLINE: Duration = Duration::from_secs(30);

/// Counts the connections of each client (an IPv4 address, an IPv6 `/64`), so that none takes all that the server has.
#[derive(Debug)]
pub struct Connections {
    most: usize,
    held: Mutex<HashMap<String, usize>>,
}

impl Connections {
    /// At most so many for each client.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, held: Mutex::default() })
    }

    /// A slot for one more connection of this client; `None` when it holds as many as it may.
    pub fn admit(connections: &Arc<Self>, client: IpAddr) -> Option<Slot> {
        let client = network_of(client);
        let mut held = connections.lock();
        let count = held.entry(client.clone()).or_default();
        if *count >= connections.most {
            return None;
        }
        *count += 1;
        Some(Slot(Some((Arc::clone(connections), client))))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One connection of a client, counted until this is dropped.
#[derive(Debug)]
pub struct Slot(Option<(Arc<Connections>, String)>);

impl Slot {
    /// A slot that no limit counts.
    pub const fn unlimited() -> Self {
        Self(None)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let Some((connections, client)) = self.0.take() else { return };
        let mut held = connections.lock();
        if let Some(count) = held.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                held.remove(&client);
            }
        }
    }
}

/// A client's connection with a deadline for what is written to it.
#[derive(Debug)]
pub struct ClientStream {
    stream: TcpStream,
    /// How long the client may take nothing of what waits.
    patience: Duration,
    /// Runs while something waits.
    deadline: Option<Pin<Box<Sleep>>>,
    _slot: Slot,
}

impl ClientStream {
    /// Takes an accepted connection.
    pub const fn new(stream: TcpStream, slot: Slot, patience: Duration) -> Self {
        Self { stream, patience, deadline: None, _slot: slot }
    }

    /// What a write that can't go on now comes to.
    fn poll_deadline(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let patience = self.patience;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(deadline.as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client reads too slowly")))
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(cx, bytes) {
            Poll::Pending => self.poll_deadline(cx),
            written @ Poll::Ready(_) => written,
        }
    }

    /// Called when everything that waited was taken.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.deadline = None;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    fn admit(connections: &Arc<Connections>, client: &str) -> Option<Slot> {
        Connections::admit(connections, client.parse().unwrap())
    }

    #[test]
    fn a_client_holds_as_many_connections_as_it_may_and_gets_one_back_for_each_that_ends() {
        let connections = Connections::new(2);
        let first = admit(&connections, "203.0.113.9").unwrap();
        let second = admit(&connections, "::ffff:203.0.113.9").unwrap();
        assert!(admit(&connections, "203.0.113.9").is_none());
        assert!(admit(&connections, "203.0.113.10").is_some(), "another client");
        drop(first);
        let third = admit(&connections, "203.0.113.9").unwrap();
        assert!(admit(&connections, "203.0.113.9").is_none());
        drop((second, third));
        assert!(connections.lock().is_empty(), "clients that are gone are not remembered");
    }

    #[test]
    fn an_ipv6_network_is_one_client() {
        let connections = Connections::new(1);
        let _slot = admit(&connections, "2001:db8:1:2::1").unwrap();
        assert!(admit(&connections, "2001:db8:1:2:ffff::9").is_none());
        assert!(admit(&connections, "2001:db8:1:3::1").is_some());
    }

    /// A connected pair: the server's side, and the client's.
    async fn pair() -> (ClientStream, TcpStream) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (client, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        let patience = Duration::from_millis(200);
        (ClientStream::new(accepted.unwrap().0, Slot::unlimited(), patience), client.unwrap())
    }

    #[tokio::test]
    async fn a_client_that_takes_nothing_of_what_waits_is_given_up_after_the_deadline() {
        let (mut server, _client) = pair().await;
        let error = server.write_all(&vec![0; 64 << 20]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_client_that_takes_what_waits_is_served_however_long_it_takes_together() {
        let (mut server, mut client) = pair().await;
        let (part, begun) = (vec![0; 8 << 20], tokio::time::Instant::now());
        // Each part waits for some time, all of them for longer than the deadline.
        while begun.elapsed() < 3 * server.patience {
            let writing = async {
                server.write_all(&part).await?;
                server.flush().await
            };
            let reading = async { client.read_exact(&mut vec![0; 8 << 20]).await.map(|_| ()) };
            tokio::try_join!(writing, reading).unwrap();
        }
    }
}
