//! The limit on the length of a request's target (path and query).

use actix_web::{
    Error, ResponseError,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};

use crate::http::error::{ApiError, Code};

/// The maximum length of a target, in bytes. Servers should accept at least 8,000 (RFC 9110, 4.1).
const MAX_TARGET_BYTES: usize = 8 * 1024;

/// Rejects targets that are too long with `414`, before routing.
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
