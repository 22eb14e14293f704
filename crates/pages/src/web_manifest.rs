//! The web app manifest: name and icons of the installed app.

use serde_json::{Value, json};

/// The URL of the web app manifest.
pub const WEB_MANIFEST: &str = "/app.webmanifest";

/// The widths of the app's icons, in pixels.
pub const ICON_WIDTHS: [u32; 3] = [180, 192, 512];

/// The URL of an icon, one of [`ICON_WIDTHS`].
pub fn icon_url(width: u32) -> String {
    format!("/icons/app-{width}.png")
}

/// The web app manifest of a site with this name (W3C Web Application Manifest).
pub fn web_manifest(name: &str) -> Value {
    let icon = |width: u32, purpose: &str| json!({ "src": icon_url(width), "type": "image/png", "sizes": format!("{width}x{width}"), "purpose": purpose });
    json!({
        "id": "/",
        "name": name,
        "short_name": name,
        "description": "Summaries of non-fiction books, ten to fifteen minutes each.",
        "lang": "en",
        "start_url": "/home",
        "scope": "/",
        "display": "standalone",
        "background_color": "#fcf9f4",
        "theme_color": "#fcf9f4",
        "categories": ["books", "education"],
        "icons": [
            icon(192, "any"),
            icon(512, "any"),
            icon(512, "maskable"),
            { "src": "/favicon.svg", "type": "image/svg+xml", "sizes": "any", "purpose": "any" },
        ],
        "shortcuts": [
            { "name": "Your Library", "url": "/library" },
            { "name": "Book Summaries", "url": "/books" },
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_installs_under_its_own_name_with_an_icon_of_each_size_that_systems_ask_for() {
        let manifest = web_manifest("Quire");
        assert_eq!((manifest["name"].as_str(), manifest["display"].as_str()), (Some("Quire"), Some("standalone")));
        assert!(!manifest.to_string().contains("Pith"));
        let icons = manifest["icons"].as_array().unwrap();
        for (sizes, purpose) in [("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")] {
            assert!(icons.iter().any(|icon| icon["sizes"] == sizes && icon["purpose"] == purpose), "{sizes} {purpose}");
        }
    }
}
