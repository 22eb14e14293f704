//! QR codes.

pub use qrcode::types::QrError;
use qrcode::{EcLevel, QrCode, render::svg};

/// Draws a text as a QR code: SVG, black on a white background, so that it is readable on dark pages too.
pub fn qr_code(text: &str) -> Result<String, QrError> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M)?;
    // Cameras expect black on white, whatever the page's theme.
    let mut picture = code.render();
    picture.dark_color(svg::Color("#000")).light_color(svg::Color("#fff")).module_dimensions(4, 4);
    Ok(picture.build())
}

#[cfg(test)]
mod tests {
    use super::qr_code;

    #[test]
    fn a_qr_code_is_a_plain_svg_with_a_view_box() {
        let picture = qr_code("otpauth://totp/Pith:ada%40example.com?secret=GEZDGNBVGY3TQOJQ&issuer=Pith").unwrap();
        let parsed = roxmltree::Document::parse(&picture).unwrap();
        let root = parsed.root_element();
        assert_eq!(root.tag_name().name(), "svg");
        assert!(root.attribute("viewBox").is_some());
        let names: Vec<&str> = root.children().map(|child| child.tag_name().name()).collect();
        assert_eq!(names, ["rect", "path"]);
        assert!(picture.len() < 40_000);
    }
}
