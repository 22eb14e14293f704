//! A zip file that is written entry by entry.

use std::io::{Cursor, Write};

use jiff::tz::TimeZone;
use kernel::Timestamp;
use serde_json::Value;
use zip::{DateTime, ZipWriter, result::ZipError, write::SimpleFileOptions};

/// A zip file in memory. Entries are compressed as they are added, so only the compressed file and one entry are in memory.
pub(crate) struct ZipFile {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    options: SimpleFileOptions,
}

impl std::fmt::Debug for ZipFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ZipFile").finish_non_exhaustive()
    }
}

impl ZipFile {
    /// An empty zip; `now` is the time of its entries.
    pub(crate) fn new(now: Timestamp) -> Self {
        let options = SimpleFileOptions::default().last_modified_time(dos_time(now).unwrap_or_default());
        Self { zip: ZipWriter::new(Cursor::new(Vec::new())), options }
    }

    /// Adds a text file.
    pub(crate) fn text(&mut self, name: &str, text: &str) -> Result<(), ZipError> {
        self.zip.start_file(name, self.options)?;
        Ok(self.zip.write_all(text.as_bytes())?)
    }

    /// Adds a JSON file.
    pub(crate) fn json(&mut self, name: &str, value: &Value) -> Result<(), ZipError> {
        self.zip.start_file(name, self.options)?;
        serde_json::to_writer_pretty(&mut self.zip, value).map_err(std::io::Error::from)?;
        Ok(self.zip.write_all(b"\n")?)
    }

    /// Adds a JSON file with a list of values, written one by one.
    pub(crate) fn json_list(&mut self, name: &str, values: impl IntoIterator<Item = Value>) -> Result<(), ZipError> {
        let mut list = self.begin_list(name)?;
        values.into_iter().try_for_each(|value| list.push(&value))?;
        list.end()
    }

    /// Starts a JSON file with a list that is too long to be held in memory.
    pub(crate) fn begin_list(&mut self, name: &str) -> Result<List<'_>, ZipError> {
        self.zip.start_file(name, self.options)?;
        self.zip.write_all(b"[")?;
        Ok(List { zip: &mut self.zip, is_empty: true })
    }

    /// Finishes the file, and returns its bytes.
    pub(crate) fn finish(self) -> Result<Vec<u8>, ZipError> {
        Ok(self.zip.finish()?.into_inner())
    }
}

/// A JSON list that is being written.
#[derive(Debug)]
pub(crate) struct List<'a> {
    zip: &'a mut ZipWriter<Cursor<Vec<u8>>>,
    is_empty: bool,
}

impl List<'_> {
    pub(crate) fn push(&mut self, value: &Value) -> Result<(), ZipError> {
        self.zip.write_all(if self.is_empty { b"\n" } else { b",\n" })?;
        self.is_empty = false;
        Ok(serde_json::to_writer(&mut self.zip, value).map_err(std::io::Error::from)?)
    }

    /// Ends the list and its file.
    pub(crate) fn end(self) -> Result<(), ZipError> {
        Ok(self.zip.write_all(b"\n]\n")?)
    }
}

/// Converts to a time in a zip file: in steps of two seconds, from 1980 on. `None` if it is out of range.
fn dos_time(now: Timestamp) -> Option<DateTime> {
    let at = jiff::Timestamp::from_millisecond(now.millis()).ok()?.to_zoned(TimeZone::UTC);
    let small = |number: i8| u8::try_from(number).ok();
    DateTime::from_date_and_time(
        u16::try_from(at.year()).ok()?,
        small(at.month())?,
        small(at.day())?,
        small(at.hour())?,
        small(at.minute())?,
        small(at.second())?,
    )
    .ok()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use serde_json::json;

    use super::*;

    fn read(bytes: Vec<u8>) -> Vec<(String, String)> {
        let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        let names: Vec<String> = zip.file_names().map(str::to_owned).collect();
        let mut text_of = |name: &String| {
            let mut text = String::new();
            zip.by_name(name).unwrap().read_to_string(&mut text).unwrap();
            text
        };
        names.iter().map(|name| (name.clone(), text_of(name))).collect()
    }

    #[test]
    fn entries_are_read_back_as_they_were_written() {
        let mut zip = ZipFile::new(Timestamp::from_millis(1_781_524_800_000));
        zip.text("a.md", "# Ä\n").unwrap();
        zip.json("b.json", &json!({ "b": 1 })).unwrap();
        zip.json_list("c.json", [json!({ "c": 1 }), json!("2")]).unwrap();
        zip.json_list("d.json", []).unwrap();
        let files = read(zip.finish().unwrap());
        let text = |name: &str| files.iter().find(|(found, _)| found == name).unwrap().1.clone();
        assert_eq!(files.len(), 4);
        assert_eq!(text("a.md"), "# Ä\n");
        assert_eq!(serde_json::from_str::<Value>(&text("b.json")).unwrap(), json!({ "b": 1 }));
        assert_eq!(text("c.json"), "[\n{\"c\":1},\n\"2\"\n]\n");
        assert_eq!(serde_json::from_str::<Value>(&text("d.json")).unwrap(), json!([]));
    }

    #[test]
    fn same_entries_at_the_same_moment_give_the_same_bytes() {
        let make = |at| {
            let mut zip = ZipFile::new(Timestamp::from_millis(at));
            zip.text("a.md", "text").unwrap();
            zip.finish().unwrap()
        };
        assert_eq!(make(1_781_524_800_000), make(1_781_524_800_000));
        assert_ne!(make(1_781_524_800_000), make(1_781_624_800_000));
        assert_eq!(make(i64::MIN), make(0), "before zips began");
    }
}
