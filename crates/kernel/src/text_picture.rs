//! Addresses of pictures within HTML texts, such as a summary or a post (`catalogue.text-pictures`).

use std::collections::BTreeSet;

/// The folder of the object store that has the pictures of texts.
pub const TEXT_PICTURES: &str = "pictures";
/// What the address of such a picture begins with.
const ADDRESS: &str = "/media/pictures/";
/// The file types of stored pictures.
const ENDINGS: [&str; 3] = ["svg", "png", "jpg"];

/// Whether this is the address of a picture that the back office stored for a text. A text may show no other pictures: one of
/// another site could change, vanish or follow who reads.
pub fn is_text_picture(url: &str) -> bool {
    url.strip_prefix(ADDRESS).is_some_and(is_name)
}

/// The keys, in the object store, of the pictures that a text shows. The text may be HTML, or JSON that contains HTML.
pub fn text_picture_keys(text: &str) -> BTreeSet<String> {
    let after = text.split(ADDRESS).skip(1);
    let names = after.map(|rest| rest.split_once(|c| !is_allowed(c)).map_or(rest, |(name, _)| name));
    names.filter(|name| is_name(name)).map(|name| format!("{TEXT_PICTURES}/{name}")).collect()
}

const fn is_allowed(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

fn is_name(name: &str) -> bool {
    let has_ending = name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending));
    has_ending && !name.starts_with('.') && name.chars().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_stored_picture_has_an_address_that_texts_may_show() {
        assert!(is_text_picture("/media/pictures/text-1a2b.jpg"));
        for url in [
            "https://elsewhere.example/media/pictures/text-1a.jpg",
            "//elsewhere.example/media/pictures/text-1a.jpg",
            "/media/covers/walden-1a.svg",
            "/media/pictures/../covers/walden-1a.svg",
            "/media/pictures/text-1a.jpg?from=mail",
            "/media/pictures/text-1a.html",
            "/media/pictures/.jpg",
            "data:image/png;base64,AAAA",
            "",
        ] {
            assert!(!is_text_picture(url), "{url}");
        }
    }

    #[test]
    fn keys_are_found_in_html_and_in_json() {
        let keys = ["pictures/text-1a.jpg".to_owned(), "pictures/text-2b.svg".to_owned()].into();
        let html = "<p>A</p><img src=\"/media/pictures/text-1a.jpg\" alt=\"\"><img src=\"/media/pictures/text-2b.svg\" alt=\"\">";
        assert_eq!(text_picture_keys(html), keys);
        assert_eq!(text_picture_keys(&html.replace('"', "\\\"")), keys);
        assert!(text_picture_keys("<p>/media/pictures/ and /media/covers/walden-1a.svg</p>").is_empty());
    }
}
