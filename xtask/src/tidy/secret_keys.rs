//! No secret meets a crate of which an advisory warns (`deny.toml`): RSA only verifies what others have signed, and YAML is not read.

use super::files::SourceFile;

/// What decrypts or signs with RSA, or reads YAML, written so that this file does not break its own rule.
const NAMES: [&str; 8] = [
    concat!("Rsa", "PrivateKey"),
    concat!("Rsa", "PrivateSigningKey"),
    concat!("from_", "rsa_pem"),
    concat!("from_", "rsa_der"),
    concat!("pkcs1v15::", "SigningKey"),
    concat!("pss::", "SigningKey"),
    concat!("rsa", "::"),
    concat!("serde_", "yaml"),
];
/// The product. A key that verifies is made by `DecodingKey`, which these lines may name.
const PRODUCT: [&str; 2] = ["crates/", "apps/"];
const VERIFYING: &str = "DecodingKey";

/// What could decrypt or sign with RSA, or read YAML.
pub(super) fn breaches(files: &[SourceFile]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| is_checked(&file.path)) {
        for (index, line) in file.text.lines().enumerate() {
            if NAMES.iter().any(|name| line.contains(name)) && !line.contains(VERIFYING) {
                let why = "an advisory warns of this crate with secrets (deny.toml)";
                found.push(format!("{}:{}: {why}", file.path, index + 1));
            }
        }
    }
    found
}

fn is_checked(path: &str) -> bool {
    let is_source = path.rsplit_once('.').is_some_and(|(_, kind)| matches!(kind, "rs" | "toml"));
    is_source && PRODUCT.iter().any(|folder| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::super::files::file;
    use super::*;

    fn breaks(path: &str, text: &str) -> bool {
        !breaches(&[file(path, text)]).is_empty()
    }

    #[test]
    fn rsa_decrypts_and_signs_nothing() {
        assert!(breaks("crates/openid/src/apple.rs", concat!("let key = EncodingKey::from_", "rsa_pem(pem)?;")));
        assert!(breaks("apps/server/src/main.rs", concat!("let key = Rsa", "PrivateKey::new(&mut rng, 2048)?;")));
        assert!(breaks("crates/openid/Cargo.toml", concat!("serde_", "yaml.workspace = true")));
        assert!(!breaks("crates/openid/src/apple.rs", concat!("let key = DecodingKey::from_", "rsa_pem(pem)?;")));
        assert!(!breaks("crates/openid/src/apple.rs", "let key = EncodingKey::from_ec_pem(pem)?;"));
        assert!(!breaks("xtask/src/main.rs", concat!("serde_", "yaml")));
    }
}
