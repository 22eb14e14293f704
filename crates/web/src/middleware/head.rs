//! `HEAD` requests: handled like `GET`, without a body.

use actix_web::{
    Error, HttpMessage,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::Method,
    middleware::Next,
};

/// Marks a request that arrived as `HEAD`: it must not use up an allowance (`reading-progress.page-takes-nothing`).
#[derive(Clone, Copy, Debug)]
pub struct IsHead;

/// Routes `HEAD` as `GET`. The server still knows the original method and sends no body.
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
