//! Rewrites alternative paths of an API route before routing (`api.literal-paths`), so that each route has one handler and one
//! entry in the OpenAPI document.

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::{Uri, uri::PathAndQuery},
    middleware::Next,
};

/// Removes the trailing slash of an API path, and rewrites literal paths to their path under `/api`.
pub async fn rewrite_addresses<B: MessageBody>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    if let Some(home) = home_of(request.path()) {
        let query = request.query_string();
        let address = if query.is_empty() { home } else { format!("{home}?{query}") };
        let mut parts = request.uri().clone().into_parts();
        if let Ok(path_and_query) = address.parse::<PathAndQuery>() {
            parts.path_and_query = Some(path_and_query);
            if let Ok(uri) = Uri::from_parts(parts) {
                request.match_info_mut().get_mut().update(&uri);
                request.head_mut().uri = uri;
            }
        }
    }
    next.call(request).await
}

/// Paths that the specification writes without `/api`, or in two ways, with the path of their route. `{id}` matches any one
/// segment. A trailing slash is ignored.
const LITERAL: &[(&str, &str)] = &[
    ("/feedback/send", "/api/feedback/send"),
    ("/charge/cancel", "/api/charge/cancel"),
    ("/kindle/has-kindle", "/api/kindle/has-kindle"),
    ("/kindle/set-kindle", "/api/kindle/set-kindle"),
    ("/kindle/send/{id}", "/api/kindle/send/{id}"),
    ("/kindle/deliveries", "/api/kindle/deliveries"),
    ("/kindle/deliveries/{id}/retry", "/api/kindle/deliveries/{id}/retry"),
    ("/admin/collections/list", "/api/admin/collections/list"),
    ("/admin/collections/add", "/api/admin/collections/add"),
    ("/admin/collections/detail/{id}", "/api/admin/collections/detail/{id}"),
    ("/library/delete/{id}", "/api/library/{id}"),
    ("/api/library/delete/{id}", "/api/library/{id}"),
];

const ID: &str = "{id}";

/// The path of the route, if it differs from the requested path.
fn home_of(path: &str) -> Option<String> {
    let trimmed = path.trim_end_matches('/');
    let literal = LITERAL.iter().find_map(|(pattern, home)| match pattern.split_once(ID) {
        None => (trimmed == *pattern).then(|| (*home).to_owned()),
        Some((before, after)) => {
            let id = trimmed.strip_prefix(before)?.strip_suffix(after)?;
            (!id.is_empty() && !id.contains('/')).then(|| home.replace(ID, id))
        }
    });
    literal.or_else(|| (trimmed.len() < path.len() && path.starts_with("/api/")).then(|| trimmed.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{LITERAL, home_of};

    #[test]
    fn calls_come_home() {
        assert_eq!(home_of("/library/delete/7").as_deref(), Some("/api/library/7"));
        assert_eq!(home_of("/library/delete/7/").as_deref(), Some("/api/library/7"));
        assert_eq!(home_of("/api/user-book-history/").as_deref(), Some("/api/user-book-history"));
        assert_eq!(home_of("/api/books"), None);
        assert_eq!(home_of("/books/"), None);
        assert_eq!(home_of("/library/delete/"), None);
        assert_eq!(home_of("/library/delete/7/8"), None);
        assert_eq!(home_of("/feedback/send").as_deref(), Some("/api/feedback/send"));
        assert_eq!(home_of("/feedback/send/").as_deref(), Some("/api/feedback/send"));
        assert_eq!(home_of("/feedback/sender"), None);
        assert_eq!(home_of("/feedback-form"), None);
    }

    #[test]
    fn every_literal_address_has_its_home_under_api() {
        for (literal, home) in LITERAL {
            assert!(home.starts_with("/api/") && !home.ends_with('/'), "{literal}");
            assert_eq!(home_of(literal).as_deref(), Some(*home));
            assert_eq!(home_of(home), None, "{home} is not sent on");
        }
    }
}
