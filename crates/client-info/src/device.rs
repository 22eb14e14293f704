//! A readable device name, browser and operating system, from a `User-Agent` header.

use woothee::parser::Parser;

/// How much of the header is parsed, in bytes.
const LONGEST: usize = 512;
/// woothee's value for unknown.
const UNKNOWN: &str = "UNKNOWN";

/// The device of a `User-Agent` header, such as `Firefox on Windows`; `Unknown device` if the header names neither
/// browser nor system.
///
/// Versions are left out: a browser that updates is still the same device. The result contains known names only, never
/// text from the header.
pub fn device_of(user_agent: &str) -> String {
    let words = &user_agent[..user_agent.floor_char_boundary(LONGEST)];
    let Some(parsed) = Parser::new().parse(words) else { return "Unknown device".to_owned() };
    let system = system_of(words, parsed.os);
    match (browser_of(words, parsed.name), system) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, Some(system)) => format!("A browser on {system}"),
        (None, None) => "Unknown device".to_owned(),
    }
}

/// The browser's common name. Browsers that also claim to be Chrome are recognized by their own token.
fn browser_of<'a>(words: &str, name: &'a str) -> Option<&'a str> {
    let own = [("DuckDuckGo/", "DuckDuckGo"), ("Brave/", "Brave"), ("HeadlessChrome/", "Headless Chrome")];
    if let Some((_, name)) = own.into_iter().find(|(word, _)| words.contains(word)) {
        return Some(name);
    }
    match name {
        "" | UNKNOWN | "HTTP Library" => None,
        "SamsungBrowser" => Some("Samsung Internet"),
        "Google Search App" => Some("Google app"),
        "Webview" => Some("An app"),
        other => Some(other),
    }
}

/// The operating system's common name, without a version: Windows 11 reports itself as 10.
fn system_of<'a>(words: &str, os: &'a str) -> Option<&'a str> {
    match os {
        "" | UNKNOWN => None,
        "Windows Phone OS" => Some("Windows Phone"),
        windows if windows.starts_with("Windows") => Some("Windows"),
        "Mac OSX" | "Mac OS Classic" => Some("macOS"),
        // Android headers name Linux first.
        "Linux" if words.contains("Android") => Some("Android"),
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::device_of;

    #[test]
    fn the_browsers_that_people_use_are_named() {
        let known = [
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Windows"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
                "Chrome on Windows",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
                "Safari on macOS",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1",
                "Chrome on iPad",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
                "Samsung Internet on Android",
            ),
            ("Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0", "Firefox on Android"),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
                "Chrome on ChromeOS",
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 OPR/124.0.0.0",
                "Opera on Linux",
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36",
                "Headless Chrome on Linux",
            ),
        ];
        for (words, device) in known {
            assert_eq!(device_of(words), device, "{words}");
        }
    }

    #[test]
    fn what_tells_nothing_is_unknown() {
        for words in ["", "curl/8.16.0", "<script>alert(1)</script>", "Mozilla/5.0", "ada@example.com"] {
            assert_eq!(device_of(words), "Unknown device", "{words}");
        }
        assert_eq!(device_of(&format!("{} Firefox/145.0", "ü".repeat(4_000))), "Unknown device");
    }

    proptest! {
        #[test]
        fn any_header_gives_a_short_name(words in ".{0,600}") {
            let device = device_of(&words);
            prop_assert!(!device.is_empty() && device.len() <= 64, "{device}");
        }
    }
}
