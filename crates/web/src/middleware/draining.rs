//! Connections end with the process, each after an answer.

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::ConnectionType,
    middleware::Next,
    web::Data,
};

use crate::app::App;

/// While the process drains, every answer is its connection's last.
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
