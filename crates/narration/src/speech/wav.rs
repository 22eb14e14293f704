//! WAV files: the format that speech programs write and encoders read.

use crate::speech::Sound;

/// The maximum length, in samples: an hour at 48 kHz.
const MOST_SAMPLES: usize = 48_000 * 3_600;

/// Programs that write a stream set the length field to a placeholder of at least this value.
const UNKNOWN_LENGTH: usize = 0x7FFF_F000;

/// Why a WAV file can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WavError {
    /// The bytes are not a WAV file.
    #[error("it is no WAV file")]
    NoWav,
    /// The samples are not 16-bit PCM, or the sample rate or the number of channels is out of range.
    #[error("it is no WAV file of samples of 16 bits")]
    OtherSamples,
    /// The end of the file is missing, as when the disk was full.
    #[error("its end is missing")]
    CutOff,
    /// The sound is longer than an hour.
    #[error("it is longer than an hour")]
    TooLong,
}

/// Reads a 16-bit WAV file; several channels are mixed down to one.
pub fn read_wav(bytes: &[u8]) -> Result<Sound, WavError> {
    if bytes.get(..4) != Some(b"RIFF") || bytes.get(8..12) != Some(b"WAVE") {
        return Err(WavError::NoWav);
    }
    let mut rest = &bytes[12..];
    let mut form = None;
    while rest.len() >= 8 {
        let (head, body) = rest.split_at(8);
        let said = le(&head[4..8]) as usize;
        let length = said.min(body.len());
        match &head[..4] {
            b"fmt " if length >= 16 => {
                form = Some((le(&body[..2]), le(&body[2..4]), le(&body[4..8]), le(&body[14..16])));
            }
            b"data" if said > body.len() && said < UNKNOWN_LENGTH => return Err(WavError::CutOff),
            b"data" => return samples(form.ok_or(WavError::NoWav)?, &body[..length]),
            _ => {}
        }
        rest = body.get(length + length % 2..).unwrap_or_default();
    }
    Err(WavError::NoWav)
}

/// Reads the samples, given format, channels, rate and bits.
fn samples((format, channels, rate, bits): (u32, u32, u32, u32), data: &[u8]) -> Result<Sound, WavError> {
    // Format 1 is PCM; 0xFFFE (extensible) holds PCM too when its samples have 16 bits.
    let plain = matches!(format, 1 | 0xFFFE) && bits == 16;
    if !plain || !(1..=8).contains(&channels) || !(4_000..=192_000).contains(&rate) {
        return Err(WavError::OtherSamples);
    }
    let channels = channels as usize;
    if data.len() / 2 / channels > MOST_SAMPLES {
        return Err(WavError::TooLong);
    }
    let mix = |frame: &[u8]| {
        let sum: i32 = frame.chunks_exact(2).map(|pair| i32::from(i16::from_le_bytes([pair[0], pair[1]]))).sum();
        i16::try_from(sum / i32::try_from(channels).unwrap_or(1)).unwrap_or(0)
    };
    Ok(Sound { rate, samples: data.chunks_exact(2 * channels).map(mix).collect() })
}

/// Reads a little-endian number.
fn le(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// Writes a 16-bit mono WAV file.
pub fn write_wav(sound: &Sound) -> Vec<u8> {
    let size = u32::try_from(sound.samples.len() * 2).unwrap_or(u32::MAX - 36);
    let mut out = Vec::with_capacity(44 + sound.samples.len() * 2);
    out.extend_from_slice(b"RIFF");
    out.extend_from_slice(&(size + 36).to_le_bytes());
    out.extend_from_slice(b"WAVEfmt ");
    out.extend_from_slice(&16_u32.to_le_bytes());
    out.extend_from_slice(&1_u16.to_le_bytes());
    out.extend_from_slice(&1_u16.to_le_bytes());
    out.extend_from_slice(&sound.rate.to_le_bytes());
    out.extend_from_slice(&(sound.rate * 2).to_le_bytes());
    out.extend_from_slice(&2_u16.to_le_bytes());
    out.extend_from_slice(&16_u16.to_le_bytes());
    out.extend_from_slice(b"data");
    out.extend_from_slice(&size.to_le_bytes());
    for sample in &sound.samples {
        out.extend_from_slice(&sample.to_le_bytes());
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{WavError, read_wav, write_wav};
    use crate::speech::Sound;

    #[test]
    fn what_is_written_is_read_back() {
        let sound = Sound { rate: 32_000, samples: vec![0, 1, -1, i16::MAX, i16::MIN] };
        let bytes = write_wav(&sound);
        assert_eq!(bytes.len(), 44 + 10);
        assert_eq!(read_wav(&bytes), Ok(sound));
    }

    #[test]
    fn other_chunks_are_passed_over_and_channels_become_one() {
        let mut bytes = write_wav(&Sound { rate: 8_000, samples: vec![100, 300, -50, 50] });
        bytes[22] = 2;
        let mut list = b"LIST\x03\0\0\0abc\0".to_vec();
        list.extend_from_slice(&bytes[36..]);
        bytes.truncate(36);
        bytes.extend_from_slice(&list);
        assert_eq!(read_wav(&bytes), Ok(Sound { rate: 8_000, samples: vec![200, 0] }));
    }

    #[test]
    fn a_length_that_nobody_filled_in_is_that_of_the_file() {
        let sound = Sound { rate: 22_050, samples: vec![7; 40] };
        let mut bytes = write_wav(&sound);
        bytes[40..44].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(read_wav(&bytes), Ok(sound));
        bytes[40..44].copy_from_slice(&0x7FFF_F000_u32.to_le_bytes());
        assert_eq!(read_wav(&bytes).map(|sound| sound.samples.len()), Ok(40));
    }

    #[test]
    fn what_lacks_its_end_is_refused() {
        let bytes = write_wav(&Sound { rate: 22_050, samples: vec![7; 40] });
        assert_eq!(read_wav(&bytes[..bytes.len() - 2]), Err(WavError::CutOff));
        assert_eq!(read_wav(&bytes[..44]), Err(WavError::CutOff));
    }

    #[test]
    fn what_is_none_is_refused() {
        assert_eq!(read_wav(b""), Err(WavError::NoWav));
        assert_eq!(read_wav(b"ID3\x04 an mp3"), Err(WavError::NoWav));
        let mut bytes = write_wav(&Sound { rate: 8_000, samples: vec![1, 2] });
        bytes[34] = 24;
        assert_eq!(read_wav(&bytes), Err(WavError::OtherSamples));
        assert_eq!(read_wav(&bytes[..30]), Err(WavError::NoWav));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), cut in 0..200_usize) {
            let _ = read_wav(&bytes);
            let mut whole = write_wav(&Sound { rate: 8_000, samples: vec![5; 60] });
            for (at, byte) in bytes.iter().enumerate().take(cut.min(44)) {
                whole[at] ^= byte;
            }
            let _ = read_wav(&whole);
        }
    }
}
