//! Extractors of the acting admin or editor and their client, for the audit log.

use std::{future::Future, pin::Pin};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use admin::Actor;
use identity::Claims;

use crate::{
    extract::{Admin, Client, Editor},
    http::error::ApiError,
};

/// The admin who makes a change.
#[derive(Clone, Debug)]
pub struct ActingAdmin {
    /// The claims of the admin's access token.
    pub claims: Claims,
    /// The user and the client, for the audit log.
    pub actor: Actor,
}

/// The editor or admin who makes a change.
#[derive(Clone, Debug)]
pub struct ActingEditor {
    /// The user and the client, for the audit log.
    pub actor: Actor,
}

type Checking<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

/// The actor for the audit log, from the token and the client.
fn actor(claims: &Claims, client: Result<Client, actix_web::Error>) -> Result<Actor, ApiError> {
    let Client(client) = client.map_err(ApiError::internal)?;
    Ok(Actor::Person { user: claims.user, address: client.address, device: client.device })
}

impl FromRequest for ActingAdmin {
    type Error = ApiError;
    type Future = Checking<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let client = Client::from_request(request, payload).into_inner();
        let admin = Admin::from_request(request, payload);
        Box::pin(async move {
            let Admin(claims) = admin.await?;
            Ok(Self { claims, actor: actor(&claims, client)? })
        })
    }
}

impl FromRequest for ActingEditor {
    type Error = ApiError;
    type Future = Checking<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let client = Client::from_request(request, payload).into_inner();
        let editor = Editor::from_request(request, payload);
        Box::pin(async move {
            let Editor(claims) = editor.await?;
            Ok(Self { actor: actor(&claims, client)? })
        })
    }
}
