//! A text as a picture that a phone's camera reads.

use qrcode::{EcLevel, QrCode, render::svg, types::QrError};

/// Draws the text as an SVG: black on a white ground of its own, so that it can be read on dark pages too. It has a
/// `viewBox` and nothing in it can run.
pub fn draw(text: &str) -> Result<String, QrError> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M)?;
    // The two colours are those that cameras expect, whatever the page's theme.
    let mut picture = code.render();
    picture.dark_color(svg::Color("#000")).light_color(svg::Color("#fff")).module_dimensions(4, 4);
    Ok(picture.build())
}

#[cfg(test)]
mod tests {
    use super::draw;

    #[test]
    fn a_text_becomes_a_picture_in_which_nothing_runs() {
        let picture = draw("otpauth://totp/Pith:ada%40example.com?secret=GEZDGNBVGY3TQOJQ&issuer=Pith").unwrap();
        let parsed = roxmltree::Document::parse(&picture).unwrap();
        let root = parsed.root_element();
        assert_eq!(root.tag_name().name(), "svg");
        assert!(root.attribute("viewBox").is_some());
        let names: Vec<&str> = root.children().map(|child| child.tag_name().name()).collect();
        assert_eq!(names, ["rect", "path"]);
        assert!(picture.len() < 40_000);
    }
}
