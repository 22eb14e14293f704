//! Extractors of a member who calls with a session or with an API token: [`StudyReader`], [`StudyWriter`].

use std::{future::Future, pin::Pin};

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, web::Data};
use identity::{ApiScope, is_api_token};
use kernel::UserId;
use workflows::identity::api_tokens::member_of_api_token;

use crate::{
    app::App,
    extract::{Member, Subject, bearer},
    http::error::ApiError,
};

/// A member who may read what they keep of their reading: in a session, or with a token of the scope `study:read`.
#[derive(Clone, Copy, Debug)]
pub struct StudyReader(pub UserId);

/// A member who may save what they keep of their reading: in a session, or with a token of the scope `study:write`.
#[derive(Clone, Copy, Debug)]
pub struct StudyWriter(pub UserId);

type Checking<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

impl FromRequest for StudyReader {
    type Error = ApiError;
    type Future = Checking<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        member(request, payload, ApiScope::StudyRead, Self)
    }
}

impl FromRequest for StudyWriter {
    type Error = ApiError;
    type Future = Checking<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        member(request, payload, ApiScope::StudyWrite, Self)
    }
}

fn member<T: 'static>(
    request: &HttpRequest,
    payload: &mut Payload,
    scope: ApiScope,
    make: fn(UserId) -> T,
) -> Checking<T> {
    let token = bearer(request.headers()).filter(|token| is_api_token(token)).map(str::to_owned);
    let app = request.app_data::<Data<App>>().cloned();
    let Some((token, app)) = token.zip(app) else {
        let session = Member::from_request(request, payload);
        return Box::pin(async move { session.await.map(|Member(claims)| make(claims.user)) });
    };
    let request = request.clone();
    Box::pin(async move {
        let user = member_of_api_token(&app.transactions, &token, scope).await?;
        request.extensions_mut().insert(Subject(user));
        Ok(make(user))
    })
}
