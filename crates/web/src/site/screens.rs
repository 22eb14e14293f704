//! Pages that the web app renders.

use actix_web::{
    HttpRequest,
    http::StatusCode,
    web::{self, Data},
};
use pages::screens::SCREENS;

use crate::{app::App, pages::plain};

/// Registers the routes of all screens.
pub(super) fn configure(config: &mut web::ServiceConfig) {
    for screen in SCREENS {
        config.route(
            screen.path,
            web::get().to(move |app: Data<App>, request: HttpRequest| async move {
                plain(&app, &request, StatusCode::OK, screen.chunk, screen.title, None).await
            }),
        );
    }
}
