//! Random identifiers that can't be guessed and are easy to read.

use crate::Env;

/// Digits and letters without the ambiguous ones (0 and O, 1 and I). There are 32, so each character encodes five random
/// bits.
pub const READABLE_ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// Generates text of `chars` random characters.
pub fn random_text(env: &dyn Env, chars: usize) -> String {
    let mut bytes = vec![0; chars];
    env.fill_random(&mut bytes);
    bytes.iter().map(|byte| char::from(READABLE_ALPHABET[usize::from(byte >> 3)])).collect()
}
