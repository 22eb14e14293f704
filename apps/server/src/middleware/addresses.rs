//! Other addresses of the same call, brought home before routing (`decisions.md` 4): one handler, one entry in the
//! document.

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::{Uri, uri::PathAndQuery},
    middleware::Next,
};

/// Drops a trailing slash of an API address and brings literal addresses under `/api`.
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

/// The address under which a call has its home, when it is another one than this.
fn home_of(path: &str) -> Option<String> {
    let trimmed = path.trim_end_matches('/');
    for prefix in ["/library/delete/", "/api/library/delete/"] {
        if let Some(id) = trimmed.strip_prefix(prefix).filter(|id| !id.is_empty() && !id.contains('/')) {
            return Some(format!("/api/library/{id}"));
        }
    }
    (trimmed.len() < path.len() && path.starts_with("/api/")).then(|| trimmed.to_owned())
}

#[cfg(test)]
mod tests {
    use super::home_of;

    #[test]
    fn calls_come_home() {
        assert_eq!(home_of("/library/delete/7").as_deref(), Some("/api/library/7"));
        assert_eq!(home_of("/library/delete/7/").as_deref(), Some("/api/library/7"));
        assert_eq!(home_of("/api/user-book-history/").as_deref(), Some("/api/user-book-history"));
        assert_eq!(home_of("/api/books"), None);
        assert_eq!(home_of("/books/"), None);
        assert_eq!(home_of("/library/delete/"), None);
    }
}
