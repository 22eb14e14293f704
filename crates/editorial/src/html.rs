//! Sanitizes editors' HTML against an allow list (`catalogue.html-cleaning`).

use std::{borrow::Cow, sync::LazyLock};

use kernel::is_text_picture;

/// The allowed elements. Headings begin at level 2: level 1 is the page's title.
const ELEMENTS: [&str; 15] =
    ["h2", "h3", "h4", "p", "ul", "ol", "li", "blockquote", "em", "strong", "a", "br", "hr", "cite", "img"];

static CLEANER: LazyLock<ammonia::Builder<'static>> = LazyLock::new(|| {
    let mut builder = ammonia::Builder::empty();
    builder
        .tags(ELEMENTS.into())
        .clean_content_tags(["script", "style", "template", "noscript", "iframe", "title"].into())
        .tag_attributes([("a", ["href"].into()), ("img", ["src", "alt", "width", "height"].into())].into())
        .set_tag_attribute_values([("img", [("loading", "lazy")].into())].into())
        .attribute_filter(|element, attribute, value| {
            let is_allowed = match (element, attribute) {
                ("img", "src") => is_text_picture(value),
                ("img", "width" | "height") => value.parse::<u16>().is_ok_and(|pixels| pixels > 0),
                _ => true,
            };
            is_allowed.then_some(Cow::Borrowed(value))
        })
        .url_schemes(["http", "https", "mailto"].into())
        .url_relative(ammonia::UrlRelative::Custom(Box::new(own_path)))
        .link_rel(None);
    builder
});

/// Keeps a link without a scheme only if it is a path of this site: browsers read `//` as the start of another site's
/// URL.
fn own_path(url: &str) -> Option<Cow<'_, str>> {
    let is_own = url.starts_with('/') && !url[1..].starts_with(['/', '\\']) && !url.contains(['\t', '\n', '\r']);
    is_own.then_some(Cow::Borrowed(url))
}

/// The HTML without anything that is not on the allow list. Idempotent.
pub fn clean(html: &str) -> String {
    let cleaned = CLEANER.clean(html).to_string();
    with_whole_pictures(cleaned.trim())
}

/// The attribute that the sanitizer adds to each picture, as its last one.
const LAZY: &str = " loading=\"lazy\"";

/// Cleaned HTML without pictures whose address was not allowed, and with `alt` on the others: a picture without it is only
/// decoration.
fn with_whole_pictures(cleaned: &str) -> String {
    // In cleaned HTML, every `<` begins a tag, and the values of attributes contain neither `"` nor `>`.
    let mut parts = cleaned.split("<img ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (tag, rest) = part.split_once('>').unwrap_or((part, ""));
        let has = |name: &str| tag.split('"').step_by(2).any(|between| between.trim_start() == name);
        if has("src=") {
            let alt = if has("alt=") { "" } else { " alt=\"\"" };
            out.extend(["<img ", tag.strip_suffix(LAZY).unwrap_or(tag), alt, LAZY, ">"]);
        }
        out.push_str(rest);
    }
    out
}

/// The number of words in sanitized HTML.
pub fn words(html: &str) -> usize {
    let mut count = 0;
    let (mut inside_tag, mut inside_word) = (false, false);
    // The entities that sanitized HTML contains: their names are not words.
    let html = html.replace("&nbsp;", " ").replace("&amp;", "&").replace("&lt;", " ").replace("&gt;", " ");
    for c in html.chars() {
        match c {
            '<' => (inside_tag, inside_word) = (true, false),
            '>' if inside_tag => inside_tag = false,
            _ if inside_tag => {}
            c if c.is_alphanumeric() => {
                count += usize::from(!inside_word);
                inside_word = true;
            }
            c if c.is_whitespace() => inside_word = false,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_stays_as_it_is() {
        let text = "<h2>A claim</h2>\n<p>See <a href=\"/books/walden\">Walden</a>, <em>or</em> write to \
                    <a href=\"mailto:{email}\">us</a>.</p>";
        assert_eq!(clean(text), text);
    }

    #[test]
    fn nothing_that_runs_or_leads_astray_is_left() {
        for (given, left) in [
            ("<p onclick=\"x()\">A</p><script>alert(1)</script>", "<p>A</p>"),
            ("<a href=\"javascript:alert(1)\">A</a>", "<a>A</a>"),
            ("<a href=\"//elsewhere.example\">A</a>", "<a>A</a>"),
            ("<a href=\"/\\elsewhere.example\">A</a>", "<a>A</a>"),
            ("<img src=x onerror=alert(1)>", ""),
            ("<p style=\"position:fixed\" class=\"button\">A</p>", "<p>A</p>"),
        ] {
            assert_eq!(clean(given), left, "{given}");
        }
    }

    #[test]
    fn a_stored_picture_stays_and_any_other_is_left_out() {
        let (given, left) = (
            "<p>A<img src='/media/pictures/text-1a.jpg' alt='A > \"b\"' width='640' height='480' onerror='x()' style='position:fixed'>b\
             <img src='/media/pictures/text-2b.svg' width='100%'></p><img src='//elsewhere.example/x.jpg' alt=' src='>\
             <img src='https://elsewhere.example/media/pictures/text-1a.jpg'>",
            "<p>A<img src=\"/media/pictures/text-1a.jpg\" alt=\"A &gt; &quot;b&quot;\" width=\"640\" height=\"480\" loading=\"lazy\">b\
             <img src=\"/media/pictures/text-2b.svg\" alt=\"\" loading=\"lazy\"></p>",
        );
        assert_eq!(clean(given), left);
        assert_eq!(clean(left), left);
    }

    #[test]
    fn words_are_counted_without_the_marks_around_them() {
        assert_eq!(words("<h2>A claim</h2><p>It isn’t well-known — &amp; <em>old</em>.</p>"), 6);
        assert_eq!(words("<p>10&nbsp;km &lt; 20&nbsp;km, B&amp;B</p>"), 5);
        assert_eq!(words(""), 0);
        assert_eq!(words("<p>A<img src=\"/media/pictures/text-1a.jpg\" alt=\"Not counted\"> b</p>"), 2);
    }

    proptest! {
        #[test]
        fn cleaning_twice_is_cleaning_once(text in "(<[a-z/]{1,6}[ a-z=\"':/]{0,12}>|[a-z &;<>\"]{0,8}){0,12}") {
            let once = clean(&text);
            prop_assert_eq!(clean(&once), once);
        }
    }
}
