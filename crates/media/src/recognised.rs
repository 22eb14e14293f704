//! Detects the file type of an upload by its first bytes. The file name and the client's `Content-Type` are ignored.

/// How many bytes from the beginning of a file are enough to detect its type.
pub const SNIFFED_BYTES: usize = 64;

/// The file extension of audio that begins with these bytes; `None` for formats that browsers don't play.
pub fn audio_ending(begin: &[u8]) -> Option<&'static str> {
    match begin {
        [b'I', b'D', b'3', ..] => Some("mp3"),
        [b'O', b'g', b'g', b'S', ..] => Some("ogg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => Some("wav"),
        // A frame header of MPEG audio, layer III, with a valid bit rate and sampling rate.
        [0xff, second, third, ..] if second & 0xe6 == 0xe2 && third >> 4 != 0xf && third & 0x0c != 0x0c => Some("mp3"),
        _ => (brand(begin)?.starts_with(b"M4A") || is_iso_base(begin)).then_some("m4a"),
    }
}

/// The file extension of a video that begins with these bytes; `None` for formats that browsers don't play.
pub fn video_ending(begin: &[u8]) -> Option<&'static str> {
    if begin.starts_with(&[0x1a, 0x45, 0xdf, 0xa3]) {
        return Some("webm");
    }
    is_iso_base(begin).then_some("mp4")
}

/// Whether the bytes look like XML: of all accepted types only SVG does.
pub fn is_svg(begin: &[u8]) -> bool {
    let begin = begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(begin);
    begin.trim_ascii_start().starts_with(b"<")
}

/// The major brand of an ISO base media file.
fn brand(begin: &[u8]) -> Option<&[u8]> {
    (begin.get(4..8)? == b"ftyp").then(|| begin.get(8..12))?
}

/// Whether the file is an MP4, by its brand. `QuickTime` files, which few browsers play, have another brand.
fn is_iso_base(begin: &[u8]) -> bool {
    const BRANDS: [&[u8]; 10] =
        [b"isom", b"iso2", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"dash", b"M4V "];
    brand(begin).is_some_and(|brand| BRANDS.contains(&brand))
}

#[cfg(test)]
mod tests {
    use super::{audio_ending, is_svg, video_ending};

    #[test]
    fn a_file_is_what_its_first_bytes_say() {
        let iso = |brand: &[u8]| [b"\0\0\0\x20ftyp", brand, b"\0\0\0\0"].concat();
        for (bytes, audio, video) in [
            (b"ID3\x04\0\0\0\0\0\0".to_vec(), Some("mp3"), None),
            (vec![0xff, 0xfb, 0x90, 0x64], Some("mp3"), None),
            (b"OggS\0\x02".to_vec(), Some("ogg"), None),
            (b"RIFF\0\0\0\0WAVEfmt ".to_vec(), Some("wav"), None),
            (iso(b"M4A "), Some("m4a"), None),
            (iso(b"isom"), Some("m4a"), Some("mp4")),
            (iso(b"qt  "), None, None),
            (vec![0x1a, 0x45, 0xdf, 0xa3, 1], None, Some("webm")),
            (b"<!DOCTYPE html><script>".to_vec(), None, None),
            (b"MZ\x90\0".to_vec(), None, None),
            (b"\x7fELF".to_vec(), None, None),
            (b"RIFF\0\0\0\0AVI ".to_vec(), None, None),
            (vec![0xff, 0xff, 0xff, 0xff], None, None),
            (Vec::new(), None, None),
        ] {
            assert_eq!((audio_ending(&bytes), video_ending(&bytes)), (audio, video), "{bytes:?}");
        }
        assert!(is_svg(b"\xef\xbb\xbf  <?xml version='1.0'?><svg/>") && !is_svg(b"\x89PNG"));
    }
}
