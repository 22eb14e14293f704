//! Sends response bodies in small parts, and limits concurrent responses per client behind a proxy.

use std::{
    error::Error as StdError,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use crate::{
    app::App,
    extract::ClientAddress,
    http::{
        connections::{Connections, Slot, take_part},
        error::ApiError,
    },
};
use actix_web::{
    Error, FromRequest, ResponseError,
    body::{BodySize, BoxBody, MessageBody},
    dev::{Payload, ServiceRequest, ServiceResponse},
    middleware::Next,
    web::{Bytes, Data},
};

/// A body that is sent in parts of at most [`crate::http::connections::PART`] bytes.
#[derive(Debug)]
pub struct PartsBody {
    inner: BoxBody,
    rest: Bytes,
    /// Freed when the body was sent or the client has disconnected.
    _slot: Slot,
}

impl MessageBody for PartsBody {
    type Error = Box<dyn StdError>;

    fn size(&self) -> BodySize {
        self.inner.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.inner).poll_next(cx)) {
                Some(Ok(bytes)) => self.rest = bytes,
                other => return Poll::Ready(other),
            }
        }
        Poll::Ready(Some(Ok(take_part(&mut self.rest))))
    }
}

/// Sends bodies in parts. A client behind a trusted proxy occupies a slot until it has its response, because the proxy's own
/// connections are not limited.
pub async fn send_in_parts<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<PartsBody>, Error> {
    let (slot, response) = match slot_of(&request) {
        Some(slot) => (slot, next.call(request).await?.map_into_boxed_body()),
        None => (Slot::unlimited(), request.into_response(ApiError::busy().error_response())),
    };
    Ok(response.map_body(|_, inner| PartsBody { inner, rest: Bytes::new(), _slot: slot }))
}

/// A slot for the client behind a trusted proxy; `None` when it has reached its limit. Unlimited for direct clients.
fn slot_of(request: &ServiceRequest) -> Option<Slot> {
    let Some(app) = request.app_data::<Data<App>>() else { return Some(Slot::unlimited()) };
    let peer = request.peer_addr().map(|peer| peer.ip().to_canonical());
    if !peer.is_some_and(|peer| app.config.is_trusted_proxy(peer)) {
        return Some(Slot::unlimited());
    }
    let client = ClientAddress::from_request(request.request(), &mut Payload::None).into_inner().ok()?;
    Connections::admit(&Arc::clone(&app.connections), client.0)
}
