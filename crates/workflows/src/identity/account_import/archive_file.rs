//! Reads an archive, which may be from anywhere, in bounded memory and time (`identity.import-limits`).

use std::{
    cell::Cell,
    fmt,
    io::{self, BufReader, Read},
};

use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveEntryWayfinder, ZipSliceArchive};
use serde::{
    Deserialize, Deserializer as _,
    de::{Error, SeqAccess, Visitor},
};
use serde_json::{Deserializer, value::RawValue};

/// The most files of an archive; ours have about forty.
const MAX_FILES: usize = 200;
/// The largest entry, unpacked, in bytes: an own summary with its text.
const ENTRY_BYTES: usize = 32 * 1024 * 1024;
/// The largest sum of the files that are read, unpacked, in bytes.
const ALL_BYTES: usize = 256 * 1024 * 1024;
/// The most entries of all files together.
const MAX_ENTRIES: usize = 100_000;
/// Files that every archive of an account has. The first one says in which folder they are: some programs that pack them again add
/// one.
const ALWAYS: [&str; 2] = ["history.json", "library.json"];
/// Where the packer of a system keeps what the files have besides their content, under the same names.
const FORKS: &str = "__MACOSX/";

/// Why an archive can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveFileError {
    /// It is no zip, or has other files.
    #[error("This is not an archive of a reading account.")]
    NotAnArchive,
    /// One of its files is damaged.
    #[error("This archive is damaged. Please download it again.")]
    Damaged,
    /// It unpacks to too much.
    #[error("This archive is too large to be imported.")]
    TooLarge,
}

/// A file of an archive.
struct PackedFile {
    name: String,
    place: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
}

/// An archive that is being read.
pub(super) struct ArchiveFile<'a> {
    zip: ZipSliceArchive<&'a [u8]>,
    files: Vec<PackedFile>,
    bytes_left: usize,
    entries_left: usize,
}

impl fmt::Debug for ArchiveFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArchiveFile").finish_non_exhaustive()
    }
}

/// Checks that this is an archive of an account, by the names of its files.
pub fn check_archive(bytes: &[u8]) -> Result<(), ArchiveFileError> {
    ArchiveFile::open(bytes).map(|_| ())
}

/// The files of a zip, without folders and those whose names are no text; at most [`MAX_FILES`].
fn files_of(zip: &ZipSliceArchive<&[u8]>) -> Option<Vec<PackedFile>> {
    let mut files = Vec::new();
    let mut entries = zip.entries();
    for _ in 0..=MAX_FILES {
        let Some(entry) = entries.next_entry().ok()? else { return Some(files) };
        let name = entry.file_path();
        if let (Ok(name), false) = (std::str::from_utf8(name.as_ref()), entry.is_dir()) {
            let (place, method) = (entry.wayfinder(), entry.compression_method());
            files.push(PackedFile { name: name.to_owned(), place, method });
        }
    }
    None
}

impl<'a> ArchiveFile<'a> {
    /// Opens an archive.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, ArchiveFileError> {
        let zip = ZipArchive::from_slice(bytes).map_err(|_| ArchiveFileError::NotAnArchive)?;
        let mut files = files_of(&zip).ok_or(ArchiveFileError::NotAnArchive)?;
        files.retain(|file| !file.name.starts_with(FORKS));
        let folder_of = |file: &PackedFile| {
            let folder = file.name.strip_suffix(ALWAYS[0])?;
            (folder.is_empty() || folder.ends_with('/')).then(|| folder.to_owned())
        };
        let folder = files.iter().find_map(folder_of).ok_or(ArchiveFileError::NotAnArchive)?;
        for file in &mut files {
            if let Some(name) = file.name.strip_prefix(&folder) {
                file.name = name.to_owned();
            }
        }
        let archive = Self { zip, files, bytes_left: ALL_BYTES, entries_left: MAX_ENTRIES };
        let is_complete = ALWAYS.into_iter().all(|name| archive.file(name).is_some());
        if is_complete { Ok(archive) } else { Err(ArchiveFileError::NotAnArchive) }
    }

    fn file(&self, name: &str) -> Option<&PackedFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// Hands out the entries of a file with a list, one by one, as JSON; of a file with an object, that. Nothing, if there is no
    /// such file. Ends early when `take` returns `false`.
    pub(super) fn read_entries(
        &mut self,
        name: &str,
        is_list: bool,
        mut take: impl FnMut(Box<str>) -> bool,
    ) -> Result<(), ArchiveFileError> {
        let Some(file) = self.file(name) else { return Ok(()) };
        let packed = self.zip.get_entry(file.place).map_err(|_| ArchiveFileError::Damaged)?;
        let unpacked: Box<dyn Read> = match file.method {
            CompressionMethod::STORE => Box::new(packed.data()),
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(packed.data())),
            _ => return Err(ArchiveFileError::Damaged),
        };
        let left = BytesLeft { entry: Cell::new(ENTRY_BYTES), all: Cell::new(self.bytes_left) };
        let limited = Limited { file: packed.verifying_reader(unpacked), left: &left };
        let mut entries = Entries { left: self.entries_left, bytes: &left, is_stopped: false, take: &mut take };
        let mut json = Deserializer::from_reader(BufReader::new(limited));
        let read = if is_list {
            json.deserialize_seq(&mut entries)
        } else {
            Box::<RawValue>::deserialize(&mut json).and_then(|object| entries.hand_out(object))
        };
        // To its end, where its checksum is compared.
        let read = read.and_then(|()| json.end());
        let (is_stopped, entries_left) = (entries.is_stopped, entries.left);
        let is_used_up = left.entry.get() == 0 || left.all.get() == 0 || entries_left == 0;
        (self.bytes_left, self.entries_left) = (left.all.get(), entries_left);
        match read {
            Err(_) if is_stopped => Ok(()),
            Err(_) if is_used_up => Err(ArchiveFileError::TooLarge),
            Err(_) => Err(ArchiveFileError::Damaged),
            Ok(()) => Ok(()),
        }
    }
}

/// How much may still be unpacked.
struct BytesLeft {
    /// Of the present entry.
    entry: Cell<usize>,
    /// Of all files.
    all: Cell<usize>,
}

/// A file that is unpacked within limits, whatever its zip says of its size.
struct Limited<'l, R> {
    file: R,
    left: &'l BytesLeft,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let BytesLeft { entry, all } = self.left;
        let most = buffer.len().min(entry.get()).min(all.get());
        if most == 0 && !buffer.is_empty() {
            return Err(io::Error::other("it unpacks to too much"));
        }
        let read = self.file.read(&mut buffer[..most])?;
        entry.set(entry.get() - read);
        all.set(all.get() - read);
        Ok(read)
    }
}

/// Visits a file: a list of entries, or one.
struct Entries<'f, F> {
    left: usize,
    bytes: &'f BytesLeft,
    is_stopped: bool,
    take: &'f mut F,
}

impl<F: FnMut(Box<str>) -> bool> Entries<'_, F> {
    fn hand_out<E: Error>(&mut self, entry: Box<RawValue>) -> Result<(), E> {
        self.left = self.left.checked_sub(1).ok_or_else(|| E::custom("too many entries"))?;
        self.bytes.entry.set(ENTRY_BYTES);
        self.is_stopped = !(self.take)(entry.into());
        if self.is_stopped { Err(E::custom("stopped")) } else { Ok(()) }
    }
}

impl<'de, F: FnMut(Box<str>) -> bool> Visitor<'de> for &mut Entries<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        // Text, until its entry is read: values of deep lists would take many times the memory.
        while let Some(entry) = list.next_element::<Box<RawValue>>()? {
            self.hand_out(entry)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::{ZipWriter, write::SimpleFileOptions};

    use proptest::prelude::*;

    use super::{ALL_BYTES, ArchiveFile, ArchiveFileError, ENTRY_BYTES, MAX_ENTRIES, check_archive};

    /// A zip of files whose text is this, so many times.
    fn zip_of(files: &[(&str, &str, usize)]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text, times) in files {
            zip.start_file(*name, SimpleFileOptions::default()).expect("a file");
            (0..*times).for_each(|_| zip.write_all(text.as_bytes()).expect("it is written"));
        }
        zip.finish().expect("a zip").into_inner()
    }

    fn archive_of(history: &str) -> Vec<u8> {
        zip_of(&[("history.json", history, 1), ("library.json", "[]", 1)])
    }

    fn entries(bytes: &[u8], name: &str, is_list: bool) -> Result<Vec<String>, ArchiveFileError> {
        let mut all = Vec::new();
        ArchiveFile::open(bytes)?.read_entries(name, is_list, |entry| {
            all.push(entry.into_string());
            true
        })?;
        Ok(all)
    }

    #[test]
    fn entries_come_one_by_one_and_a_file_that_is_not_there_has_none() {
        let archive = archive_of(" [{\"a\": 1},\n[2] , null]");
        assert_eq!(check_archive(&archive), Ok(()));
        assert_eq!(
            entries(&archive, "history.json", true),
            Ok(["{\"a\": 1}", "[2]", "null"].map(str::to_owned).to_vec())
        );
        assert_eq!(entries(&archive, "history.json", false).map(|entries| entries.len()), Ok(1));
        assert_eq!(entries(&archive, "lists.json", true), Ok(Vec::new()));
        let mut taken = 0;
        let mut file = ArchiveFile::open(&archive).expect("an archive");
        let read = file.read_entries("history.json", true, |_| {
            taken += 1;
            taken < 2
        });
        assert_eq!((read, taken), (Ok(()), 2));
    }

    #[test]
    fn what_is_no_archive_is_not_opened() {
        let foreign = zip_of(&[("history.json", "[]", 1), ("other.json", "[]", 1)]);
        let mut cut = archive_of("[]");
        cut.truncate(cut.len() / 2);
        for bytes in [&b""[..], b"PK\x05\x06", b"text", &foreign, &cut] {
            assert_eq!(check_archive(bytes), Err(ArchiveFileError::NotAnArchive));
        }
        let names: Vec<String> = (0..300).map(|number| number.to_string()).collect();
        let mut many: Vec<_> = names.iter().map(|name| (name.as_str(), "", 1)).collect();
        many.extend([("history.json", "[]", 1), ("library.json", "[]", 1)]);
        assert_eq!(check_archive(&zip_of(&many)), Err(ArchiveFileError::NotAnArchive));
    }

    #[test]
    fn damage_is_said_and_a_bomb_is_given_up() {
        for damaged in ["", "[1", "[1,]", "{}", "[1] [", "[\"\u{1}\"]"] {
            assert_eq!(
                entries(&archive_of(damaged), "history.json", true),
                Err(ArchiveFileError::Damaged),
                "{damaged:?}"
            );
        }
        let mut stored = ZipWriter::new(Cursor::new(Vec::new()));
        for name in ["history.json", "library.json"] {
            let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
            stored.start_file(name, options).expect("a file");
            stored.write_all(b"[12]").expect("it is written");
        }
        let mut stored = stored.finish().expect("a zip").into_inner();
        assert_eq!(entries(&stored, "history.json", true).map(|entries| entries.len()), Ok(1));
        let at = stored.windows(4).position(|window| window == b"[12]").expect("the text");
        stored[at + 1] = b'3';
        assert_eq!(entries(&stored, "history.json", true), Err(ArchiveFileError::Damaged), "its checksum is another");
        // One entry of too many bytes, and too many bytes of all entries.
        let bomb = zip_of(&[("history.json", &" ".repeat(1024), ENTRY_BYTES / 1024 + 1), ("library.json", "[]", 1)]);
        assert!(bomb.len() < 256 * 1024);
        assert_eq!(entries(&bomb, "history.json", true), Err(ArchiveFileError::TooLarge));
        let files = archive_of("[1, 2]");
        let mut file = ArchiveFile::open(&files).expect("an archive");
        assert_eq!(file.bytes_left, ALL_BYTES);
        file.bytes_left = 7;
        assert_eq!(file.read_entries("history.json", true, |_| true), Ok(()));
        assert_eq!(file.read_entries("library.json", true, |_| true), Err(ArchiveFileError::TooLarge));
        let many = archive_of(&format!("[{}1]", "1,".repeat(MAX_ENTRIES)));
        assert_eq!(entries(&many, "history.json", true), Err(ArchiveFileError::TooLarge));
        // Half of it twice is as much.
        let half = format!("[{}1]", "1,".repeat(MAX_ENTRIES / 2));
        let halves = zip_of(&[("history.json", &half, 1), ("library.json", &half, 1)]);
        let mut file = ArchiveFile::open(&halves).expect("an archive");
        assert_eq!(file.read_entries("history.json", true, |_| true), Ok(()));
        assert_eq!(file.read_entries("library.json", true, |_| true), Err(ArchiveFileError::TooLarge));
    }

    /// As where a browser has unpacked the archive, and its folder was packed again.
    #[test]
    fn an_archive_may_be_in_a_folder() {
        let (folder, forks) = ("pith-archive-2026-06-16/", "__MACOSX/pith-archive-2026-06-16/");
        let names =
            ["history.json", "library.json"].map(|name| (format!("{forks}._{name}"), format!("{folder}{name}")));
        let mut files = vec![(forks, "", 1), (folder, "", 1)];
        for (fork, name) in &names {
            files.extend([(fork.as_str(), "x", 1), (name.as_str(), "[7]", 1)]);
        }
        assert_eq!(entries(&zip_of(&files), "library.json", true), Ok(vec!["7".to_owned()]));
        let others = zip_of(&[("a/history.json", "[]", 1), ("b/library.json", "[]", 1), ("xhistory.json", "[]", 1)]);
        assert_eq!(check_archive(&others), Err(ArchiveFileError::NotAnArchive));
    }

    proptest! {
        /// Whatever was changed in an archive, it is read or refused.
        #[test]
        fn a_changed_archive_is_read_or_refused(
            changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut archive = archive_of("[{\"a\": [1, 2, \"\\u00e9\"]}, 3]");
            for (at, byte) in changes {
                let at = at.index(archive.len());
                archive[at] = byte;
            }
            let _ = entries(&archive, "history.json", true);
            archive.truncate(cut.index(archive.len()));
            let _ = entries(&archive, "history.json", true);
        }
    }
}
