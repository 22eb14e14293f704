//! Joins sounds and pauses.

use crate::speech::sound::{Sound, samples_in};

/// An audio track in progress. Times are exact to the sample.
#[derive(Clone, Debug)]
pub struct Track {
    sound: Sound,
}

impl Track {
    /// An empty track with this sample rate, in Hz.
    pub const fn new(rate: u32) -> Self {
        Self { sound: Sound { rate, samples: Vec::new() } }
    }

    /// The length so far, in milliseconds.
    pub fn millis(&self) -> u64 {
        self.sound.samples.len() as u64 * 1_000 / u64::from(self.sound.rate.max(1))
    }

    /// Appends `millis` milliseconds of silence.
    pub fn pause(&mut self, millis: u64) {
        let length = self.sound.samples.len() + samples_in(millis, self.sound.rate);
        self.sound.samples.resize(length, 0);
    }

    /// Appends a sound, resampled to the track's rate.
    pub fn add(&mut self, sound: &Sound) {
        if sound.rate == self.sound.rate {
            self.sound.samples.extend_from_slice(&sound.samples);
            return;
        }
        let (from, to) = (u64::from(sound.rate), u64::from(self.sound.rate));
        if from == 0 {
            return;
        }
        let length = sound.samples.len() as u64 * to / from;
        self.sound.samples.extend((0..length).map(|at| between(&sound.samples, at * from, to)));
    }

    /// The whole track, with normalised loudness.
    pub fn finish(mut self) -> Sound {
        self.sound.level();
        self.sound
    }
}

/// Interpolates linearly between two samples, at the position `place / parts`.
fn between(samples: &[i16], place: u64, parts: u64) -> i16 {
    let at = usize::try_from(place / parts).unwrap_or(usize::MAX);
    let sample = |at: usize| i64::from(samples.get(at).or(samples.last()).copied().unwrap_or(0));
    let (one, other, part) = (sample(at), sample(at + 1), i64::try_from(place % parts).unwrap_or(0));
    let mixed = one + (other - one) * part / i64::try_from(parts).unwrap_or(1);
    i16::try_from(mixed).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::Track;
    use crate::speech::Sound;

    #[test]
    fn times_are_exact_whatever_was_added() {
        let mut track = Track::new(32_000);
        for _ in 0..1_000 {
            track.add(&Sound { rate: 32_000, samples: vec![100; 3_333] });
            track.pause(7);
        }
        // A thousand times 3,333 samples and 224 of silence.
        assert_eq!(track.millis(), 1_000 * (3_333 + 224) / 32);
        assert_eq!(track.finish().samples.len(), 3_557_000);
    }

    #[test]
    fn another_rate_keeps_its_time() {
        let mut track = Track::new(32_000);
        track.add(&Sound { rate: 16_000, samples: (0..16_000).map(|at| (at % 100) * 50).collect() });
        track.add(&Sound { rate: 22_050, samples: vec![7; 22_050] });
        assert_eq!(track.millis(), 2_000);
        track.add(&Sound { rate: 8_000, samples: Vec::new() });
        assert_eq!(track.millis(), 2_000);
    }
}
