//! `HEAD` answers what `GET` would, without a body.

use actix_web::{
    Error, HttpMessage,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::Method,
    middleware::Next,
};

/// Marks a request that came as `HEAD`: it may not take anything (`reading-progress.page-takes-nothing`).
#[derive(Clone, Copy, Debug)]
pub struct IsHead;

/// Routes `HEAD` as `GET`. The connection knows what was asked and sends no body.
pub async fn head_as_get<B: MessageBody>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    if request.method() == Method::HEAD {
        request.extensions_mut().insert(IsHead);
        request.head_mut().method = Method::GET;
    }
    next.call(request).await
}
