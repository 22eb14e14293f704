//! The files of an archive, written as a tar archive with the same bytes each time.
//!
//! Entries are sorted, belong to root unless they say otherwise, and have the release's time: nothing of the machine is in them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};
use md5::{Digest, Md5};

/// Files by their path in the archive, without a slash at the start.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    entries: BTreeMap<String, Entry>,
}

#[derive(Debug)]
struct Entry {
    content: Content,
    mode: u32,
    /// User and group id.
    owner: u64,
}

#[derive(Debug)]
enum Content {
    Folder,
    Bytes(Vec<u8>),
    /// A file on this machine.
    File(PathBuf),
}

impl Tree {
    /// Adds a file with this content.
    pub(crate) fn add_bytes(&mut self, path: &str, mode: u32, bytes: impl Into<Vec<u8>>) {
        self.add(path, Entry { content: Content::Bytes(bytes.into()), mode, owner: 0 });
    }

    /// Adds a file of this machine.
    pub(crate) fn add_file(&mut self, path: &str, mode: u32, file: &Path) {
        self.add(path, Entry { content: Content::File(file.to_owned()), mode, owner: 0 });
    }

    /// Adds a folder.
    pub(crate) fn add_folder(&mut self, path: &str, mode: u32, owner: u64) {
        self.add(path, Entry { content: Content::Folder, mode, owner });
    }

    /// Adds an entry, and the folders above it that are not there yet.
    fn add(&mut self, path: &str, entry: Entry) {
        for (at, _) in path.match_indices('/') {
            let folder = Entry { content: Content::Folder, mode: 0o755, owner: 0 };
            self.entries.entry(path[..at].to_owned()).or_insert(folder);
        }
        self.entries.insert(path.to_owned(), entry);
    }

    /// The bytes of all files together.
    pub(crate) fn size(&self) -> Result<u64> {
        self.entries.values().map(|entry| entry.content.size()).sum()
    }

    /// The MD5 of each file, by its path.
    pub(crate) fn md5_sums(&self) -> Result<Vec<(&str, String)>> {
        let mut sums = Vec::new();
        for (path, entry) in &self.entries {
            let mut hash = Md5::new();
            match &entry.content {
                Content::Folder => continue,
                Content::Bytes(bytes) => hash.update(bytes),
                Content::File(file) => {
                    io::copy(&mut open(file)?, &mut hash)?;
                }
            }
            sums.push((path.as_str(), hex::encode(hash.finalize())));
        }
        Ok(sums)
    }

    /// Writes a tar archive; `seconds` since 1970 is the time of every entry.
    pub(crate) fn write_tar(&self, seconds: u64, out: impl Write) -> Result<()> {
        let mut archive = tar::Builder::new(out);
        for (path, entry) in &self.entries {
            let mut header = tar::Header::new_gnu();
            header.set_mode(entry.mode);
            header.set_uid(entry.owner);
            header.set_gid(entry.owner);
            header.set_mtime(seconds);
            header.set_size(entry.content.size()?);
            let written = match &entry.content {
                Content::Folder => {
                    header.set_entry_type(tar::EntryType::Directory);
                    archive.append_data(&mut header, format!("{path}/"), io::empty())
                }
                Content::Bytes(bytes) => archive.append_data(&mut header, path, bytes.as_slice()),
                Content::File(file) => archive.append_data(&mut header, path, open(file)?),
            };
            written.with_context(|| format!("cannot write {path} into the archive"))?;
        }
        archive.into_inner()?.flush().context("cannot write the archive")
    }

    /// Adds a compressed file.
    pub(crate) fn add_gzip(&mut self, path: &str, mode: u32, bytes: &[u8]) -> Result<()> {
        let mut gzip = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
        gzip.write_all(bytes)?;
        self.add_bytes(path, mode, gzip.finish()?);
        Ok(())
    }

    /// Writes a compressed tar archive.
    pub(crate) fn write_tar_gz(&self, seconds: u64, compression: Compression, out: impl Write) -> Result<()> {
        let mut gzip = GzBuilder::new().mtime(0).write(out, compression);
        self.write_tar(seconds, &mut gzip)?;
        gzip.finish().context("cannot write the archive")?.flush().context("cannot write the archive")
    }
}

impl Content {
    fn size(&self) -> Result<u64> {
        Ok(match self {
            Self::Folder => 0,
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(file) => open(file)?.metadata()?.len(),
        })
    }
}

fn open(file: &Path) -> Result<File> {
    File::open(file).with_context(|| format!("cannot read {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_sorted_and_has_nothing_of_the_machine() {
        let long = format!("usr/share/{}", "x".repeat(120));
        let mut tree = Tree::default();
        tree.add_file("usr/bin/pith", 0o755, &Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"));
        tree.add_bytes(&long, 0o644, "text");
        tree.add_folder("usr/bin", 0o700, 7);
        let mut bytes = Vec::new();
        tree.write_tar(42, &mut bytes).unwrap();
        let mut archive = tar::Archive::new(bytes.as_slice());
        let entries: Vec<_> = archive
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let header = entry.header();
                assert_eq!((header.mtime().unwrap(), header.gid().unwrap()), (42, header.uid().unwrap()));
                let path = entry.path().unwrap().to_str().unwrap().to_owned();
                (path, header.mode().unwrap(), header.uid().unwrap())
            })
            .collect();
        let expected =
            [("usr/", 0o755, 0), ("usr/bin/", 0o700, 7), ("usr/bin/pith", 0o755, 0), ("usr/share/", 0o755, 0)];
        let expected = expected.map(|(path, mode, owner)| (path.to_owned(), mode, owner));
        assert_eq!(entries[..4], expected);
        assert_eq!(entries[4], (long, 0o644, 0));
    }
}
