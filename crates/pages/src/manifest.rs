//! The manifest of the built web app: which files a page loads.

use std::collections::HashMap;

use serde::Deserialize;

/// The manifest written by the build (`manifest.json`).
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Manifest {
    /// The files that every page loads.
    #[serde(default)]
    pub entry: Chunk,
    /// The additional files of each route, by the name of its chunk.
    #[serde(default)]
    pub routes: HashMap<String, Chunk>,
    /// The fonts to preload.
    #[serde(default)]
    pub fonts: Vec<String>,
    /// The script that sets the light or dark theme before the first paint, and loads the app after that.
    #[serde(default)]
    pub head: Option<String>,
}

/// The URLs of one chunk's files.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Chunk {
    #[serde(default)]
    pub js: Vec<String>,
    #[serde(default)]
    pub css: Vec<String>,
}
