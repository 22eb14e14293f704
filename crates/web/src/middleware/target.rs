//! The length of a request's target: its path and query.

use actix_web::{
    Error, ResponseError,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};

use crate::http::error::{ApiError, Code};

/// The most bytes of a target. Servers should take 8,000 at least (RFC 9110, 4.1); what is read of a query is far shorter.
const MAX_TARGET_BYTES: usize = 8 * 1024;

/// Refuses targets that are too long, before anything is routed, read or cached by them.
pub async fn refuse_long_targets<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let length = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    if length > MAX_TARGET_BYTES {
        let text = format!("The address is longer than {} kB.", MAX_TARGET_BYTES / 1024);
        let refusal = ApiError::new(Code::UriTooLong, text);
        return Ok(request.into_response(refusal.error_response()).map_into_right_body());
    }
    Ok(next.call(request).await?.map_into_left_body())
}
