//! A device that keeps passkeys, in software: what a browser would hand on of it, byte by byte.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A person was there.
const PRESENT: u8 = 0x01;
/// And the device checked who.
const VERIFIED: u8 = 0x04;
const WITH_KEY: u8 = 0x40;

/// One passkey on one device. A clone of it is a stolen copy.
#[derive(Clone)]
pub struct Authenticator {
    pub key: Vec<u8>,
    pub id: Vec<u8>,
    pub user_handle: String,
    pub counter: u32,
    pub origin: String,
    pub domain: String,
    /// Whether the device checks who is there.
    pub verifies: bool,
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

impl Authenticator {
    /// Makes a key for what a site asks for; gives it with the browser's answer.
    pub fn create(origin: &str, options: &Value) -> (Self, Value) {
        Self::create_with(origin, options, |_| ())
    }

    /// [`Authenticator::create`] on a device that is changed before it answers.
    pub fn create_with(origin: &str, options: &Value, change: impl FnOnce(&mut Self)) -> (Self, Value) {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).expect("a key");
        let id: [u8; 16] = ring::rand::generate(&random).expect("random bytes").expose();
        let mut device = Self {
            key: key.as_ref().to_vec(),
            id: id.to_vec(),
            user_handle: options["user"]["id"].as_str().expect("an owner").to_owned(),
            counter: 1,
            origin: origin.to_owned(),
            domain: options["rp"]["id"].as_str().expect("a site").to_owned(),
            verifies: true,
        };
        change(&mut device);
        let pair = device.pair();
        let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
        // A COSE key: elliptic, ES256, P-256, and the two coordinates.
        let cose = [&[0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32], x, &[0x22, 0x58, 32], y].concat();
        let length = u16::try_from(device.id.len()).expect("a short name").to_be_bytes();
        let data = [&device.data(WITH_KEY)[..], &[0; 16], &length, &device.id, &cose].concat();
        let attestation = [
            b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".as_slice(),
            &[u8::try_from(data.len()).expect("fewer than 256 bytes")],
            &data,
        ]
        .concat();
        let client = device.client_data("webauthn.create", options);
        let answer = json!({
            "id": encode(&device.id), "rawId": encode(&device.id), "type": "public-key",
            "authenticatorAttachment": "platform", "clientExtensionResults": { "credProps": { "rk": true } },
            "response": {
                "attestationObject": encode(&attestation), "clientDataJSON": encode(&client),
                "transports": ["internal"],
            },
        });
        (device, answer)
    }

    /// The browser's answer to a site that asks for a passkey. The counter goes on by one.
    pub fn sign(&mut self, options: &Value) -> Value {
        self.counter += 1;
        let data = self.data(0);
        let client = self.client_data("webauthn.get", options);
        let message = [&data[..], &Sha256::digest(&client)].concat();
        let signature = self.pair().sign(&SystemRandom::new(), &message).expect("a signature");
        json!({
            "id": encode(&self.id), "rawId": encode(&self.id), "type": "public-key",
            "authenticatorAttachment": "platform", "clientExtensionResults": {},
            "response": {
                "authenticatorData": encode(&data), "clientDataJSON": encode(&client),
                "signature": encode(signature.as_ref()), "userHandle": self.user_handle,
            },
        })
    }

    fn pair(&self) -> EcdsaKeyPair {
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &self.key, &SystemRandom::new()).expect("a key")
    }

    fn data(&self, more: u8) -> Vec<u8> {
        let flags = PRESENT | more | if self.verifies { VERIFIED } else { 0 };
        [&Sha256::digest(&self.domain)[..], &[flags], &self.counter.to_be_bytes()].concat()
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let data =
            json!({ "type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": false });
        data.to_string().into_bytes()
    }
}
