//! Signing up with a code (`billing.code-single-use`).

use billing::{BillingQueries, Code, CodeError};
use identity::{PasswordHash, RateLimitBucket, Registration};
use kernel::network_of;

use crate::{
    account::account,
    billing::membership::codes::{RedeemError, redeem_code},
    client::ClientContext,
    identity::{
        password_hashing::Passwords,
        sign_in::{self, StartedSession},
    },
    rate_limits,
    tx::Tx,
};

impl Passwords {
    /// Creates an account and redeems a code: both or neither.
    pub async fn sign_up_with_code(
        &self,
        registration: Registration,
        code: Code,
        client: ClientContext,
    ) -> Result<StartedSession, RedeemError> {
        let network = network_of(client.address);
        rate_limits::count(&self.transactions, RateLimitBucket::Redeem, network).await?;
        let wanted = code.clone();
        // An invalid code costs no password hash, and does not reveal whether the address is taken.
        self.transactions.read(move |tx| check_code(tx, &wanted)).await?;
        let address = client.address;
        self.transactions.write(move |tx| sign_in::count_sign_up(tx, address, false)).await?;
        let hash = self.hash(registration.password.clone()).await?;
        self.transactions.write(move |tx| sign_up_with_code(tx, &registration, &hash, &code, &client)).await
    }
}

fn check_code<A>(tx: &mut Tx<'_, '_, A>, code: &Code) -> Result<(), RedeemError> {
    let found = tx.pg.find_code(code)?.ok_or(CodeError::Unknown)?;
    match found.obstacle() {
        Some(obstacle) => Err(obstacle.into()),
        None => Ok(()),
    }
}

fn sign_up_with_code(
    tx: &mut Tx<'_, '_>,
    registration: &Registration,
    hash: &PasswordHash,
    code: &Code,
    client: &ClientContext,
) -> Result<StartedSession, RedeemError> {
    let now = tx.now();
    let mut started = sign_in::sign_up(tx, registration, hash, client)?;
    let member = started.account.user.id;
    redeem_code(tx, member, code)?;
    if let Some(account) = account(tx.pg, member, now)? {
        started.account = sign_in::with_effective_role(account, false, tx.settings);
    }
    Ok(started)
}
