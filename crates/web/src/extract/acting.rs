//! Who acts in the back office, and from where: for the audit log.

use std::{future::Future, pin::Pin};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use admin::Actor;
use identity::Claims;

use crate::{
    extract::{Admin, Client, Editor},
    http::error::ApiError,
};

/// An admin who changes something.
#[derive(Clone, Debug)]
pub struct ActingAdmin {
    /// The admin's token.
    pub claims: Claims,
    /// Who acts, and from where.
    pub actor: Actor,
}

/// An editor or an admin who changes something of the catalogue.
#[derive(Clone, Debug)]
pub struct ActingEditor {
    /// Who acts, and from where.
    pub actor: Actor,
}

type Checking<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

/// Who acts by a token from a client.
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
