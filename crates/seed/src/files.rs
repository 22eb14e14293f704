//! Where seed files are read from: the binary itself, or a folder.

use std::{
    borrow::Cow,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use rust_embed::RustEmbed;

/// The demo content, embedded in the binary so that operators need no checkout.
#[derive(RustEmbed)]
#[folder = "../../apps/server/seed/"]
struct Demo;

/// A set of seed files. Their names are relative paths with slashes.
#[derive(Debug)]
pub(super) enum Files {
    /// The demo content in the binary.
    Demo,
    Folder(PathBuf),
}

impl Files {
    /// The files of a folder, or the demo content when none is given.
    pub(super) fn new(folder: Option<&Path>) -> anyhow::Result<Self> {
        let Some(folder) = folder else { return Ok(Self::Demo) };
        anyhow::ensure!(folder.is_dir(), "{} is not a folder", folder.display());
        Ok(Self::Folder(folder.to_owned()))
    }

    /// The sorted names in a folder (`""` for the root). Empty if there is no such folder.
    pub(super) fn names_in(&self, folder: &str) -> anyhow::Result<Vec<String>> {
        let mut names: Vec<String> = match self {
            Self::Demo => Demo::iter()
                .filter_map(|path| {
                    let rest = path.strip_prefix(folder)?.strip_prefix('/')?;
                    rest.split('/').next().map(str::to_owned)
                })
                .collect(),
            Self::Folder(home) => {
                let folder = home.join(folder);
                if !folder.is_dir() {
                    return Ok(Vec::new());
                }
                fs::read_dir(&folder)
                    .with_context(|| format!("{} can't be read", folder.display()))?
                    .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
                    .filter(|name| !name.starts_with('.'))
                    .collect()
            }
        };
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// A file's content; `None` if there is no such file.
    pub(super) fn bytes(&self, path: &str) -> anyhow::Result<Option<Cow<'static, [u8]>>> {
        match self {
            Self::Demo => Ok(Demo::get(path).map(|file| file.data)),
            Self::Folder(home) => match fs::read(home.join(path)) {
                Ok(bytes) => Ok(Some(bytes.into())),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error).with_context(|| format!("{path} can't be read")),
            },
        }
    }

    pub(super) fn has(&self, path: &str) -> bool {
        match self {
            Self::Demo => Demo::get(path).is_some(),
            Self::Folder(home) => home.join(path).is_file(),
        }
    }

    /// A file's path, for reading it in parts; `None` for files in the binary.
    pub(super) fn on_disk(&self, path: &str) -> Option<PathBuf> {
        match self {
            Self::Demo => None,
            Self::Folder(home) => Some(home.join(path)),
        }
    }

    /// A file's text; `None` if there is no such file.
    pub(super) fn text(&self, path: &str) -> anyhow::Result<Option<String>> {
        self.bytes(path)?
            .map(|bytes| String::from_utf8(bytes.into_owned()).with_context(|| format!("{path} is not UTF-8")))
            .transpose()
    }
}
