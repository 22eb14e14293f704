//! A P-256 key pair, for tests that sign and verify.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use p256::{
    SecretKey,
    elliptic_curve::sec1::ToEncodedPoint,
    pkcs8::{EncodePrivateKey, EncodePublicKey, LineEnding},
};

/// A key pair used only in tests.
#[derive(Clone)]
pub struct EcKey(SecretKey);

impl std::fmt::Debug for EcKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("EcKey(…)")
    }
}

impl EcKey {
    /// The key pair with this secret: any bytes except all zeros or all ones.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(SecretKey::from_slice(&bytes).expect("a number on the curve"))
    }

    pub(crate) fn secret(&self) -> &SecretKey {
        &self.0
    }

    /// The private key, PKCS#8 in PEM.
    pub fn private_pem(&self) -> String {
        self.0.to_pkcs8_pem(LineEnding::LF).expect("a key can be written").to_string()
    }

    /// The public key in PEM.
    pub fn public_pem(&self) -> String {
        self.0.public_key().to_public_key_pem(LineEnding::LF).expect("a key can be written")
    }

    /// The coordinates of the public key, as in a JSON Web Key.
    pub fn coordinates(&self) -> (String, String) {
        let point = self.0.public_key().to_encoded_point(false);
        let text = |half: Option<&p256::FieldBytes>| URL_SAFE_NO_PAD.encode(half.expect("the key is not at infinity"));
        (text(point.x()), text(point.y()))
    }
}
