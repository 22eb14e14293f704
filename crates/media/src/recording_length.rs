//! The playing time of an uploaded recording.

use std::path::Path;

use lofty::{
    config::{ParseOptions, ParsingMode},
    file::AudioFile,
    probe::Probe,
};

use crate::error::MediaError;

/// Reads the playing time of a recording (MP3, M4A, OGG or WAV), in milliseconds.
///
/// # Errors
/// [`MediaError::NotARecording`] when the file has another format or no length.
pub(crate) fn length_of(path: &Path) -> Result<u64, MediaError> {
    let options = ParseOptions::new().read_tags(false).read_cover_art(false).parsing_mode(ParsingMode::Relaxed);
    // The temporary file has no extension: the content decides.
    let probe = Probe::open(path).map_err(|_| MediaError::NotARecording)?.options(options).guess_file_type()?;
    let recording = probe.read().map_err(|_| MediaError::NotARecording)?;
    let length = u64::try_from(recording.properties().duration().as_millis()).unwrap_or(u64::MAX);
    if length == 0 { Err(MediaError::NotARecording) } else { Ok(length) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A silent WAV file: one channel, 8 bits, 8,000 samples per second.
    fn wav(millis: u32) -> Vec<u8> {
        let samples = vec![128; millis as usize * 8];
        let size = u32::try_from(samples.len()).unwrap();
        let mut bytes = b"RIFF".to_vec();
        bytes.extend((36 + size).to_le_bytes());
        bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
        bytes.extend(8_000_u32.to_le_bytes());
        bytes.extend(8_000_u32.to_le_bytes());
        bytes.extend(b"\x01\0\x08\0data");
        bytes.extend(size.to_le_bytes());
        bytes.extend(samples);
        bytes
    }

    /// A silent MP3 file: 128 kbit/s, 44,100 samples per second, 1,152 samples per frame.
    fn mp3(frames: usize) -> Vec<u8> {
        let mut frame = vec![0xff, 0xfb, 0x90, 0x64];
        frame.resize(417, 0);
        frame.repeat(frames)
    }

    fn length(bytes: &[u8]) -> Result<u64, MediaError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        length_of(file.path())
    }

    #[test]
    fn the_length_is_read_out_of_the_content() {
        assert_eq!(length(&wav(1_500)).unwrap(), 1_500);
        let read = length(&mp3(100)).unwrap();
        assert!((2_600..=2_630).contains(&read), "{read}");
    }

    #[test]
    fn what_has_no_length_is_no_recording() {
        for bytes in [&b""[..], b"ID3\x04\0\0\0\0\0\0", b"OggS\0\x02", b"RIFF\0\0\0\0WAVEfmt ", &wav(0), &wav(10)[..30]]
        {
            assert!(matches!(length(bytes), Err(MediaError::NotARecording)), "{bytes:?}");
        }
    }
}
