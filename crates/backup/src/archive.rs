//! The archive format: a tar file that ends with the SHA-256 hash of everything before it.

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::Path,
};

use kernel::Env;

use sha2::{Digest, Sha256};
use tar::{Builder, EntryType, Header};

use crate::{
    BackupError,
    encryption::{BackupKey, DecryptingReader, EncryptingWriter, MARK},
};

/// The name of the last entry, which holds the hash.
const HASH: &str = "sha256";
/// Length of the last entry and the end-of-archive marker in bytes: a header, one block, two empty blocks.
const TAIL: usize = 4 * 512;

/// A file, as it is or encrypted.
enum Output {
    Plain(BufWriter<File>),
    Encrypted(Box<EncryptingWriter<BufWriter<File>>>),
}

impl Output {
    /// Flushes the file to disk.
    fn finish(self) -> io::Result<()> {
        let file = match self {
            Self::Plain(file) => file,
            Self::Encrypted(file) => file.finish()?,
        };
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }
}

/// Writes a file and hashes the bytes written.
struct Hashing {
    output: Output,
    hash: Sha256,
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.output {
            Output::Plain(file) => file.write(bytes)?,
            Output::Encrypted(file) => file.write(bytes)?,
        };
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.output {
            Output::Plain(file) => file.flush(),
            Output::Encrypted(file) => file.flush(),
        }
    }
}

/// An archive that is being written.
pub(crate) struct ArchiveWriter {
    tar: Builder<Hashing>,
}

impl ArchiveWriter {
    /// `key` encrypts the file.
    pub(crate) fn new(file: File, key: Option<&BackupKey>, env: &dyn Env) -> io::Result<Self> {
        let file = BufWriter::with_capacity(1 << 20, file);
        let output = match key {
            None => Output::Plain(file),
            Some(key) => Output::Encrypted(Box::new(EncryptingWriter::new(file, key, env)?)),
        };
        Ok(Self { tar: Builder::new(Hashing { output, hash: Sha256::new() }) })
    }

    /// Adds an entry whose content has exactly `size` bytes.
    pub(crate) fn add(&mut self, name: &str, size: u64, content: impl Read) -> io::Result<()> {
        self.tar.append_data(&mut header(size), name, content)
    }

    /// Appends the hash and flushes the file to disk.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let hash = hex::encode(self.tar.get_ref().hash.clone().finalize());
        self.tar.append_data(&mut header(hash.len() as u64), HASH, hash.as_bytes())?;
        self.tar.into_inner()?.output.finish()
    }
}

/// The header of an entry: the same for every file, so that an archive reveals nothing about the machine that made it.
fn header(size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::Regular);
    header.set_mode(0o600);
    header.set_size(size);
    header
}

/// Opens a backup, decrypting it with the key if it is encrypted.
pub(crate) fn open(file: &Path, key: Option<&BackupKey>) -> Result<Box<dyn Read>, BackupError> {
    let mut file = BufReader::with_capacity(1 << 20, File::open(file)?);
    let mut mark = Vec::new();
    (&mut file).take(MARK.len() as u64).read_to_end(&mut mark)?;
    if mark != MARK {
        file.seek(SeekFrom::Start(0))?;
        return Ok(Box::new(file));
    }
    let key = key.ok_or(BackupError::KeyIsMissing)?;
    Ok(Box::new(DecryptingReader::new(file, key)?))
}

/// Reads to the end; fails unless that is, bit for bit, a complete archive.
pub(crate) fn verify(mut archive: impl Read) -> Result<(), BackupError> {
    let mut hash = Sha256::new();
    // The last bytes read, which may be those of the hash itself.
    let mut tail: Vec<u8> = Vec::with_capacity(1 << 20);
    loop {
        let read = (&mut archive).take((1 << 20) - TAIL as u64).read_to_end(&mut tail)?;
        let body = tail.len().saturating_sub(TAIL);
        hash.update(&tail[..body]);
        tail.drain(..body);
        if read == 0 {
            break;
        }
    }
    let hash = hex::encode(hash.finalize());
    let mut expected = Builder::new(Vec::new());
    expected.append_data(&mut header(hash.len() as u64), HASH, hash.as_bytes())?;
    if tail != expected.into_inner()? {
        return Err(BackupError::Damaged);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use kernel::{FixedEnv, Timestamp};

    use super::*;

    fn archive() -> Vec<u8> {
        let mut file = tempfile::tempfile().unwrap();
        let mut archive =
            ArchiveWriter::new(file.try_clone().unwrap(), None, &FixedEnv::at(Timestamp::from_millis(0))).unwrap();
        archive.add("a", 5, &b"hello"[..]).unwrap();
        archive.add(&format!("media/{}", "long/".repeat(40)), 700, &[7; 700][..]).unwrap();
        archive.finish().unwrap();
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn verified(bytes: &[u8]) -> Result<(), BackupError> {
        verify(bytes)
    }

    #[test]
    fn a_whole_archive_is_verified_and_every_flipped_bit_is_found() {
        let bytes = archive();
        verified(&bytes).unwrap();
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            assert!(matches!(verified(&flipped), Err(BackupError::Damaged)), "byte {at}");
        }
    }

    #[test]
    fn an_archive_that_was_cut_or_continued_is_damaged() {
        let bytes = archive();
        for length in [0, 1, 511, 512, bytes.len() - 512, bytes.len() - 1] {
            assert!(matches!(verified(&bytes[..length]), Err(BackupError::Damaged)), "{length} bytes");
        }
        assert!(matches!(verified(&[bytes.as_slice(), b"x"].concat()), Err(BackupError::Damaged)));
    }
}
