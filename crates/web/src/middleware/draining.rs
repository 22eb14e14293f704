//! Closes connections while the process drains.

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::ConnectionType,
    middleware::Next,
    web::Data,
};

use crate::app::App;

/// Adds `Connection: close` to every response while the process drains.
pub async fn close_when_draining<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let app = request.app_data::<Data<App>>().cloned();
    let mut response = next.call(request).await?;
    if app.is_some_and(|app| app.is_draining()) {
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    Ok(response)
}
