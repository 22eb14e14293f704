//! The list of the built web app: which files a page loads.

use std::collections::HashMap;

use serde::Deserialize;

/// What the build says of itself (`manifest.json`).
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Manifest {
    /// What every page loads.
    #[serde(default)]
    pub entry: Chunk,
    /// What each route loads besides.
    #[serde(default)]
    pub routes: HashMap<String, Chunk>,
    /// Fonts worth loading before the styles ask for them.
    #[serde(default)]
    pub fonts: Vec<String>,
    /// The script that chooses light or dark before anything is painted, and loads the app after it.
    #[serde(default)]
    pub head: Option<String>,
}

/// Files of one part of the app, as addresses.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Chunk {
    /// Scripts.
    #[serde(default)]
    pub js: Vec<String>,
    /// Styles.
    #[serde(default)]
    pub css: Vec<String>,
}
