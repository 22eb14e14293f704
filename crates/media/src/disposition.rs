//! `Content-Disposition` headers: the file names under which browsers save downloads.

use std::fmt::Write;

/// The `Content-Disposition` of a media file whose URL has `?download=<name>`: a browser saves the file under that name
/// instead of showing it. The extension is always the stored file's, so a crafted URL can't save a picture as a program.
pub fn disposition(query: &str, key: &str) -> Option<String> {
    let given = query.split('&').find_map(|pair| match pair.split_once('=') {
        Some(("download", value)) => Some(value),
        None if pair == "download" => Some(""),
        _ => None,
    })?;
    let given = url::form_urlencoded::parse(format!("n={given}").as_bytes()).next().map(|(_, name)| name.into_owned());
    let (stem, ending) = key.rsplit('/').next()?.rsplit_once('.')?;
    let own = stem.rsplit_once('-').map_or(stem, |(name, _hash)| name);
    Some(attachment(&given.unwrap_or_default(), own, ending))
}

/// A `Content-Disposition` that saves a file (RFC 6266): as `name` with the extension `ending`, or as `otherwise` when `name`
/// has no character that is allowed in a file name.
pub fn attachment(name: &str, otherwise: &str, ending: &str) -> String {
    let name = name.trim().strip_suffix(&format!(".{ending}")).unwrap_or(name);
    let name: String =
        name.chars().map(|c| if c.is_control() || "/\\:*?\"<>|".contains(c) { ' ' } else { c }).take(120).collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = name.trim_matches(['.', ' ']);
    let name = if name.is_empty() { otherwise } else { name };
    let plain: String = name.chars().map(|c| if c.is_ascii() && c != '%' { c } else { '_' }).collect();
    let mut exact = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            exact.push(char::from(byte));
        } else {
            let _ = write!(exact, "%{byte:02X}");
        }
    }
    format!("attachment; filename=\"{plain}.{ending}\"; filename*=UTF-8''{exact}.{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_download_has_a_safe_name_and_the_extension_of_its_file() {
        let key = "documents/walden-1a2b.pdf";
        for (query, name) in [
            ("download", "walden.pdf"),
            ("download=", "walden.pdf"),
            ("for=0&download=Walden", "Walden.pdf"),
            ("download=Walden.pdf", "Walden.pdf"),
            ("download=setup.exe", "setup.exe.pdf"),
            ("download=..%2F..%2Fetc%2Fpasswd", "etc passwd.pdf"),
            ("download=a%0D%0AX-Evil:%201", "a X-Evil 1.pdf"),
            ("download=%22%22", "walden.pdf"),
        ] {
            let header = disposition(query, key).unwrap();
            assert!(header.starts_with(&format!("attachment; filename=\"{name}\"; ")), "{query}: {header}");
            assert!(header.chars().all(|c| c.is_ascii() && !c.is_ascii_control()), "a header can hold it: {header}");
        }
        assert_eq!(disposition("for=0&until=1", key), None);
        assert_eq!(
            disposition("download=Caf%C3%A9+100%25", key).unwrap(),
            "attachment; filename=\"Caf_ 100_.pdf\"; filename*=UTF-8''Caf%C3%A9%20100%25.pdf"
        );
    }
}
