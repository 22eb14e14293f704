//! The route of a request, for logs and metrics.

use std::rc::Rc;

use actix_web::{HttpMessage, HttpRequest};

/// What [`route_of`] found.
struct Route(Rc<str>);

/// The pattern of the request's route, such as `/api/books/rating/{id}`, or `other`: never its path, of which there are any number. Matching
/// the path against all routes is done once for each request.
pub(super) fn route_of(request: &HttpRequest) -> Rc<str> {
    if let Some(Route(route)) = request.extensions().get::<Route>() {
        return Rc::clone(route);
    }
    let route: Rc<str> = request.match_pattern().as_deref().unwrap_or("other").into();
    request.extensions_mut().insert(Route(Rc::clone(&route)));
    route
}
