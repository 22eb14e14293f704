//! Positions that e-reader programs synchronize in the protocol of KOReader (`delivery.koreader-sync`).

use kernel::{BookId, Timestamp};
use md5::{Digest, Md5};

use crate::EReaderError;

/// The most documents of which a member's positions are kept: those that were read last.
pub const SYNCED_DOCUMENTS: i64 = 1_000;
/// The greatest length of a position and of a device's name, in bytes.
const MAX_BYTES: usize = 500;
/// How much of a file KOReader reads at each place to recognize it, in bytes.
const SAMPLE: usize = 1_024;

/// What KOReader calls a document: the MD5 of parts of its file (see [`DocumentId::of_file`]) or of its name, in hex.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentId(String);

impl DocumentId {
    /// Parses the name of a document: 32 hex digits.
    pub fn parse(text: &str) -> Result<Self, EReaderError> {
        let is_digest = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_digest { Ok(Self(text.to_ascii_lowercase())) } else { Err(EReaderError::InvalidDocument) }
    }

    /// The name of a file: KOReader's partial MD5, over 1 KiB at 0, 1, 4, 16 KiB and so on up to 1 GiB, as far as the file goes.
    pub fn of_file(bytes: &[u8]) -> Self {
        let mut digest = Md5::new();
        for power in 0..12_u32 {
            let start = if power == 0 { 0 } else { SAMPLE << (2 * (power - 1)) };
            let Some(rest) = bytes.get(start..).filter(|rest| !rest.is_empty()) else { break };
            digest.update(rest.get(..SAMPLE).unwrap_or(rest));
        }
        Self(hex::encode(digest.finalize()))
    }

    /// A name from the database: not checked.
    pub const fn from_store(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A position in a document, as a device has reported it.
#[derive(Clone, Debug, PartialEq)]
pub struct SyncedPlace {
    pub document: DocumentId,
    /// The position in the form of the program: of an EPUB an `XPointer` such as `/body/DocFragment[4]/body/p[2]/text().0`.
    pub progress: String,
    /// How much of the document is before it, 0 to 1.
    pub percentage: f64,
    /// The device's model.
    pub device: String,
    pub device_id: String,
    pub at: Timestamp,
}

impl SyncedPlace {
    /// Checks what a device reports.
    pub fn check(self) -> Result<Self, EReaderError> {
        let texts = [&self.progress, &self.device, &self.device_id];
        let fits = texts.iter().all(|text| text.len() <= MAX_BYTES && !text.contains('\0'));
        if fits && (0.0..=1.0).contains(&self.percentage) { Ok(self) } else { Err(EReaderError::InvalidPlace) }
    }
}

/// A file of a book: its EPUB, as it was when the file was handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookDocument {
    pub book: BookId,
    /// The number of the page that has the first section, from 1: the pages before are cover, title and contents.
    pub first_page: u32,
}

/// Where a position in a file is in its book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceInBook {
    /// The index of the section, from 0.
    pub section: u32,
    /// Whether the position is behind the last section.
    pub is_past_end: bool,
}

impl BookDocument {
    /// Where a position is in the book, which has this many sections; `None`: it is in another form, or the book has none.
    pub fn place_of(self, progress: &str, sections: u32) -> Option<PlaceInBook> {
        let page = page_of(progress)?;
        let last = sections.checked_sub(1)?;
        let section = page.saturating_sub(self.first_page);
        Some(PlaceInBook { section: section.min(last), is_past_end: section > last })
    }

    /// The position at which a section begins.
    pub fn progress_at(self, section: u32) -> String {
        format!("/body/DocFragment[{}]/body", self.first_page.saturating_add(section))
    }
}

/// The number of the page in an `XPointer`, from 1.
fn page_of(progress: &str) -> Option<u32> {
    let (number, _) = progress.strip_prefix("/body/DocFragment[")?.split_once(']')?;
    number.parse().ok().filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use kernel::{BookId, Timestamp};
    use proptest::prelude::*;

    use super::{BookDocument, DocumentId, PlaceInBook, SyncedPlace};

    fn document() -> BookDocument {
        BookDocument { book: BookId::from_store(1), first_page: 4 }
    }

    #[test]
    fn a_document_is_named_by_32_hex_digits() {
        let name = DocumentId::parse("0B229176D4E8DB7F6D2B5A4952368D7A").expect("a name");
        assert_eq!(name.as_str(), "0b229176d4e8db7f6d2b5a4952368d7a");
        for wrong in
            ["", "0b229176", "0b229176d4e8db7f6d2b5a4952368d7g", &"0".repeat(33), "ö229176d4e8db7f6d2b5a4952368d7"]
        {
            assert!(DocumentId::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    /// As KOReader's `util.partialMD5`.
    #[test]
    fn a_file_has_the_partial_digest_of_koreader() {
        assert_eq!(DocumentId::of_file(b"").as_str(), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(DocumentId::of_file(b"abc").as_str(), "900150983cd24fb0d6963f7d28e17f72");
        let bytes: Vec<u8> = (0..20_000_u32).map(|number| u8::try_from(number % 251).expect("small")).collect();
        let samples = [&bytes[..1_024], &bytes[1_024..2_048], &bytes[4_096..5_120], &bytes[16_384..17_408]].concat();
        let whole = <md5::Md5 as md5::Digest>::digest(&samples);
        assert_eq!(DocumentId::of_file(&bytes).as_str(), hex::encode(whole));
        // A change outside of the samples is not seen, one within is.
        let mut changed = bytes.clone();
        changed[3_000] ^= 1;
        assert_eq!(DocumentId::of_file(&changed), DocumentId::of_file(&bytes));
        changed[4_100] ^= 1;
        assert_ne!(DocumentId::of_file(&changed), DocumentId::of_file(&bytes));
    }

    #[test]
    fn a_position_is_in_the_section_of_its_page() {
        let place = |progress: &str| document().place_of(progress, 5);
        let at = |section, is_past_end| Some(PlaceInBook { section, is_past_end });
        assert_eq!(place("/body/DocFragment[1]/body/img.0"), at(0, false), "the cover");
        assert_eq!(place("/body/DocFragment[4]/body/p[2]/text().0"), at(0, false));
        assert_eq!(place("/body/DocFragment[6]"), at(2, false));
        assert_eq!(place("/body/DocFragment[8]/body"), at(4, false));
        assert_eq!(place("/body/DocFragment[9]/body"), at(4, true), "the recap");
        for other in
            ["", "12", "/body/p[3]", "/body/DocFragment[0]/body", "/body/DocFragment[x]", "/body/DocFragment[4"]
        {
            assert_eq!(place(other), None, "{other:?}");
        }
        assert_eq!(document().place_of("/body/DocFragment[4]", 0), None, "a book without text");
    }

    #[test]
    fn a_report_has_its_limits() {
        let place = |percentage, progress: &str| SyncedPlace {
            document: DocumentId::of_file(b"abc"),
            progress: progress.to_owned(),
            percentage,
            device: "PocketBook".to_owned(),
            device_id: "1".to_owned(),
            at: Timestamp::from_millis(0),
        };
        assert!(place(0.0, "12").check().is_ok() && place(1.0, &"x".repeat(500)).check().is_ok());
        for wrong in
            [place(-0.1, ""), place(1.1, ""), place(f64::NAN, ""), place(0.5, &"x".repeat(501)), place(0.5, "\0")]
        {
            assert!(wrong.clone().check().is_err(), "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn the_position_of_a_section_is_in_that_section(first_page in 1..9_u32, sections in 1..60_u32, section in 0..60_u32) {
            prop_assume!(section < sections);
            let document = BookDocument { book: BookId::from_store(1), first_page };
            let place = document.place_of(&document.progress_at(section), sections);
            prop_assert_eq!(place, Some(PlaceInBook { section, is_past_end: false }));
        }
    }
}
