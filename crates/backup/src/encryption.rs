//! Encrypted backups: the archive in parts, each encrypted and authenticated with XChaCha20-Poly1305 in the STREAM construction
//! ('Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance', 2015), so that parts can be neither changed, exchanged nor cut off.
//!
//! The file is [`MARK`], a random nonce, and the parts of [`PART`] bytes with a tag of 16 bytes each. Only the last one may be shorter.

use std::io::{self, Read, Write};

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305,
    aead::stream::{DecryptorBE32, EncryptorBE32},
};
use hmac::{Hmac, Mac};
use kernel::{Env, Secret};
use sha2::Sha256;

/// How an encrypted backup begins. A plain one begins with the name of its first entry.
pub(crate) const MARK: [u8; 8] = *b"pith-bk1";
const NONCE_BYTES: usize = 19;
/// Bytes of the archive in one part.
const PART: usize = 64 * 1024;
const TAG_BYTES: usize = 16;

/// The key that encrypts backups, derived from the operator's secret.
#[derive(Clone)]
pub struct BackupKey(XChaCha20Poly1305);

impl std::fmt::Debug for BackupKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("BackupKey")
    }
}

impl BackupKey {
    /// Derives the key.
    pub fn new(secret: &Secret) -> Self {
        let mut mac = <Hmac<Sha256> as Mac>::new_from_slice(secret.bytes()).expect("HMAC takes a key of any length");
        // The label separates this key from any others that may be derived from the secret.
        mac.update(b"pith: backups, 1");
        Self(XChaCha20Poly1305::new(&mac.finalize().into_bytes()))
    }
}

/// Encrypts what is written to it. [`EncryptingWriter::finish`] writes the last part.
pub(crate) struct EncryptingWriter<W> {
    file: W,
    stream: EncryptorBE32<XChaCha20Poly1305>,
    /// What the next part begins with.
    part: Vec<u8>,
}

impl<W: Write> EncryptingWriter<W> {
    pub(crate) fn new(mut file: W, BackupKey(cipher): &BackupKey, env: &dyn Env) -> io::Result<Self> {
        let mut nonce = [0; NONCE_BYTES];
        env.fill_random(&mut nonce);
        file.write_all(&MARK)?;
        file.write_all(&nonce)?;
        let stream = EncryptorBE32::from_aead(cipher.clone(), &nonce.into());
        Ok(Self { file, stream, part: Vec::with_capacity(PART) })
    }

    /// Writes the last part.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        let last = self.stream.encrypt_last(self.part.as_slice()).map_err(|_| too_long())?;
        self.file.write_all(&last)?;
        Ok(self.file)
    }
}

impl<W: Write> Write for EncryptingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A complete part is kept until more follows, because it may be the last one.
        if self.part.len() == PART && !bytes.is_empty() {
            let part = self.stream.encrypt_next(self.part.as_slice()).map_err(|_| too_long())?;
            self.file.write_all(&part)?;
            self.part.clear();
        }
        let taken = bytes.len().min(PART - self.part.len());
        self.part.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The cipher counts parts in 32 bits: 256 TiB.
fn too_long() -> io::Error {
    io::Error::other("the backup is too long to be encrypted")
}

/// Decrypts what is read from a file, after its [`MARK`].
pub(crate) struct DecryptingReader<R> {
    file: R,
    /// `None` after the last part.
    stream: Option<DecryptorBE32<XChaCha20Poly1305>>,
    /// The encrypted part that comes next.
    next: Vec<u8>,
    /// The decrypted part, and how much of it was read.
    part: Vec<u8>,
    at: usize,
}

impl<R: Read> DecryptingReader<R> {
    pub(crate) fn new(mut file: R, BackupKey(cipher): &BackupKey) -> io::Result<Self> {
        let mut nonce = [0; NONCE_BYTES];
        file.read_exact(&mut nonce)?;
        let stream = DecryptorBE32::from_aead(cipher.clone(), &nonce.into());
        let next = encrypted_part(&mut file)?;
        Ok(Self { file, stream: Some(stream), next, part: Vec::new(), at: 0 })
    }

    fn decrypt_part(&mut self) -> io::Result<()> {
        let Some(mut stream) = self.stream.take() else { return Ok(()) };
        let following = encrypted_part(&mut self.file)?;
        let encrypted = std::mem::replace(&mut self.next, following);
        let undecipherable =
            |_| io::Error::new(io::ErrorKind::InvalidData, "it was encrypted with another key, or changed since");
        if self.next.is_empty() {
            self.part = stream.decrypt_last(encrypted.as_slice()).map_err(undecipherable)?;
        } else {
            self.part = stream.decrypt_next(encrypted.as_slice()).map_err(undecipherable)?;
            self.stream = Some(stream);
        }
        self.at = 0;
        Ok(())
    }
}

/// Reads the next encrypted part; empty at the end of the file.
fn encrypted_part(file: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut part = Vec::with_capacity(PART + TAG_BYTES);
    file.take((PART + TAG_BYTES) as u64).read_to_end(&mut part)?;
    Ok(part)
}

impl<R: Read> Read for DecryptingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.part.len() {
            self.part.clear();
            self.at = 0;
            self.decrypt_part()?;
        }
        let read = buffer.len().min(self.part.len() - self.at);
        buffer[..read].copy_from_slice(&self.part[self.at..self.at + read]);
        self.at += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use kernel::{FixedEnv, Timestamp};
    use proptest::prelude::*;

    use super::*;

    fn key(text: &str) -> BackupKey {
        BackupKey::new(&Secret::new(text))
    }

    fn encrypted(content: &[u8]) -> Vec<u8> {
        let mut writer =
            EncryptingWriter::new(Vec::new(), &key("one"), &FixedEnv::at(Timestamp::from_millis(0))).unwrap();
        writer.write_all(content).unwrap();
        writer.finish().unwrap()
    }

    fn decrypted(file: &[u8], key: &BackupKey) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        DecryptingReader::new(&file[MARK.len()..], key)?.read_to_end(&mut content)?;
        Ok(content)
    }

    #[test]
    fn what_was_encrypted_is_read_back_at_every_length_around_a_part() {
        for length in [0, 1, PART - 1, PART, PART + 1, 2 * PART, 3 * PART + 7] {
            let content: Vec<u8> = (0..length).map(|at| u8::try_from(at % 251).unwrap()).collect();
            let file = encrypted(&content);
            assert_eq!(decrypted(&file, &key("one")).unwrap(), content, "{length} bytes");
            decrypted(&file, &key("another")).expect_err("another key opens nothing");
        }
    }

    #[test]
    fn a_file_that_was_cut_is_refused() {
        let file = encrypted(&vec![7; 2 * PART + 9]);
        let part = PART + TAG_BYTES;
        let begin = MARK.len() + NONCE_BYTES;
        for length in [begin, begin + 1, begin + part, begin + 2 * part, file.len() - 1] {
            decrypted(&file[..length], &key("one")).expect_err(&format!("{length} bytes"));
        }
        let exchanged = [
            &file[..begin],
            &file[begin + part..begin + 2 * part],
            &file[begin..begin + part],
            &file[begin + 2 * part..],
        ];
        decrypted(&exchanged.concat(), &key("one")).expect_err("two parts have changed places");
    }

    proptest! {
        #[test]
        fn a_changed_bit_is_found(at in MARK.len()..PART, bit in 0_u8..8) {
            let mut file = encrypted(&vec![7; PART]);
            file[at] ^= 1 << bit;
            prop_assert!(decrypted(&file, &key("one")).is_err());
        }
    }
}
