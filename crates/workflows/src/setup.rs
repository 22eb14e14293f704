//! The first start in a browser (`admin.setup-page`): the site's name, its first admin, and its first content. Possible once, while
//! there is neither content nor an admin, and only with the token that the server has printed.

use admin::{Actor, AuditEvent, Subject, SubjectKind};
use identity::{IdentityError, Registration, generate_token, hash_of_text};
use jobs::{JobKind, JobRequest, Jobs};
use kernel::StoreError;

use crate::{
    audit::run_as,
    client::ClientContext,
    identity::{
        password_hashing::Passwords,
        sign_in::{StartedSession, sign_up_first_admin},
    },
    tx::Tx,
};

/// The job that loads the demo content.
pub const LOAD_DEMO_CONTENT: JobKind = JobKind::long("load_demo_content").deduplicated();

/// The longest name of a site, in characters: it stands in titles and on covers.
pub const MAX_SITE_NAME: usize = 60;

/// Whether a text can be the name of a site: one line, neither empty nor too long.
pub fn is_site_name(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().count() <= MAX_SITE_NAME && !name.chars().any(char::is_control)
}

/// What the setup page asks for.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The site's name; `None` leaves it as it is.
    pub site_name: Option<String>,
    /// The first admin.
    pub admin: Registration,
    /// Whether to load the demo content.
    pub loads_demo_content: bool,
}

/// Why the site can't be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// There is content or an admin already.
    #[error("This site has been set up already.")]
    Closed,
    /// The token is not the one that was printed last.
    #[error("This is not the setup token that the server printed last.")]
    TokenInvalid,
    #[error("A site’s name is one line of at most {MAX_SITE_NAME} characters.")]
    InvalidName,
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a new setup token in place of the one before; `None` if the site does not wait for its setup.
pub fn issue_setup_token(tx: &mut Tx<'_, '_>) -> Result<Option<String>, StoreError> {
    let token = generate_token(tx.env);
    Ok(tx.pg.replace_setup_token(hash_of_text(&token).as_bytes())?.then_some(token))
}

/// Checks a setup token.
pub fn check_setup_token<A>(tx: &mut Tx<'_, '_, A>, token: &str) -> Result<(), SetupError> {
    if !tx.pg.is_setup_open()? {
        return Err(SetupError::Closed);
    }
    if tx.pg.is_setup_token(hash_of_text(token).as_bytes())? { Ok(()) } else { Err(SetupError::TokenInvalid) }
}

impl Passwords {
    /// Sets the site up, and signs the first admin in. The token is used up.
    pub async fn set_up_site(
        &self,
        token: String,
        setup: Setup,
        client: ClientContext,
    ) -> Result<StartedSession, SetupError> {
        let given = token.clone();
        self.transactions.read(move |tx| check_setup_token(tx, &given)).await?;
        if setup.site_name.as_deref().is_some_and(|name| !is_site_name(name)) {
            return Err(SetupError::InvalidName);
        }
        let hash = self.hash(setup.admin.password.clone()).await?;
        let set_up = self.transactions.write(move |tx| {
            if !tx.pg.lock_setup()? {
                return Err(SetupError::Closed);
            }
            check_setup_token(tx, &token)?;
            let started = sign_up_first_admin(tx, &setup.admin, &hash, &client)?;
            let now = tx.now();
            tx.pg.finish_setup(setup.site_name.as_deref().map(str::trim), now)?;
            if setup.loads_demo_content {
                let work = JobRequest { kind: LOAD_DEMO_CONTENT, about: "", recipient: None, payload: &[] };
                tx.pg.queue_job(work, now)?;
            }
            let user = started.account.user.id;
            let actor = Actor::Person { user, address: client.address, device: client.device.clone() };
            run_as::<_, SetupError>(tx, actor, |_, trail| {
                trail.record(AuditEvent::new("site.setup", Subject::whole(SubjectKind::Site)));
                Ok(())
            })?;
            Ok(started)
        });
        set_up.await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_site_is_one_short_line() {
        for name in ["Pith", "Ein Büchlein", &"P".repeat(MAX_SITE_NAME)] {
            assert!(is_site_name(name), "{name}");
        }
        for name in ["", "  ", "two\nlines", &"P".repeat(MAX_SITE_NAME + 1)] {
            assert!(!is_site_name(name), "{name:?}");
        }
    }
}
