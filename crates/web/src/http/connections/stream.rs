//! A client's connection with a write timeout.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Sleep, sleep},
};

use crate::http::connections::limit::Slot;

/// Write timeout: a client must read each full buffer of a response (about 16 kB, and a third of the system's buffer) within
/// this time, or its connection is closed. That also hits a paused player, which requests the rest again when it needs it.
pub const WRITE_DEADLINE: Duration = Duration::from_secs(30);

/// A client's connection with a write timeout.
#[derive(Debug)]
pub struct ClientStream {
    stream: TcpStream,
    /// The write timeout: how long the client may read nothing while data is pending.
    patience: Duration,
    /// Set while data is pending.
    deadline: Option<Pin<Box<Sleep>>>,
    _slot: Slot,
}

impl ClientStream {
    /// Wraps an accepted connection.
    pub const fn new(stream: TcpStream, slot: Slot, patience: Duration) -> Self {
        Self { stream, patience, deadline: None, _slot: slot }
    }

    /// The result of a blocked write: pending, or `TimedOut` after the timeout.
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

    /// The server calls this when all pending data was written.
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
        // Each part is delayed a little, all of them together for longer than the timeout.
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
