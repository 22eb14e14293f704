//! Mono audio as samples.

/// Samples with an amplitude below this (of 32,768) count as silence.
const SILENT: u16 = 160;
/// How much silence stays at both ends after trimming, in milliseconds, so that no sound is clipped.
const LEFT: u64 = 25;
/// The target loudness: the root mean square of all that is not silence, where 1 is full scale. About -19 dB.
const LOUDNESS: f64 = 0.11;
/// The maximum gain.
const MOST_GAIN: f64 = 8.0;
/// The amplitude (of 1) above which peaks are compressed instead of clipped.
const KNEE: f64 = 0.8;

/// Audio: 16-bit samples, one channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sound {
    /// The sample rate, in Hz.
    pub rate: u32,
    pub samples: Vec<i16>,
}

impl Sound {
    /// A copy without the silence at both ends.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        let loud = |sample: &i16| sample.unsigned_abs() > SILENT;
        let Some(first) = self.samples.iter().position(loud) else {
            return Self { rate: self.rate, samples: Vec::new() };
        };
        let last = self.samples.iter().rposition(loud).unwrap_or(first);
        let left = samples_in(LEFT, self.rate);
        let (from, to) = (first.saturating_sub(left), (last + left + 1).min(self.samples.len()));
        Self { rate: self.rate, samples: self.samples[from..to].to_vec() }
    }

    /// Normalises the loudness and compresses peaks. Silence stays unchanged.
    #[expect(clippy::cast_possible_truncation, reason = "it is within the bounds of a sample")]
    pub fn level(&mut self) {
        let Some(loudness) = self.loudness() else { return };
        let gain = (LOUDNESS / loudness).min(MOST_GAIN);
        for sample in &mut self.samples {
            let louder = f64::from(*sample) / 32_768.0 * gain;
            let over = louder.abs() - KNEE;
            let bent = if over > 0.0 { KNEE + (1.0 - KNEE) * (over / (1.0 - KNEE)).tanh() } else { louder.abs() };
            *sample = (bent.copysign(louder) * 32_700.0) as i16;
        }
    }

    /// The root mean square of all blocks that are not silent, where 1 is full scale; `None` when all are.
    fn loudness(&self) -> Option<f64> {
        let block = (self.rate as usize / 10).max(1);
        let powers = self.samples.chunks(block).map(|block| {
            let sum: f64 = block.iter().map(|sample| (f64::from(*sample) / 32_768.0).powi(2)).sum();
            sum / f64::from(u32::try_from(block.len()).unwrap_or(u32::MAX))
        });
        let (sum, count) =
            powers.filter(|power| *power > 1e-4).fold((0.0, 0_u32), |(sum, count), power| (sum + power, count + 1));
        (count > 0).then(|| (sum / f64::from(count)).sqrt())
    }
}

/// Converts milliseconds to a number of samples.
pub(crate) fn samples_in(millis: u64, rate: u32) -> usize {
    usize::try_from(millis.saturating_mul(u64::from(rate)) / 1_000).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::Sound;

    fn tone(length: usize, height: i16) -> Vec<i16> {
        (0..length).map(|at| if at % 20 < 10 { height } else { -height }).collect()
    }

    #[test]
    fn silence_around_words_is_taken_away_but_for_a_moment() {
        let samples = [vec![3; 500], tone(1_000, 9_000), vec![-2; 800]].concat();
        let sound = Sound { rate: 1_000, samples }.trimmed();
        assert_eq!(sound.samples.len(), 25 + 1_000 + 25);
        assert_eq!(sound.samples[25], 9_000);
        assert!(Sound { rate: 1_000, samples: vec![5; 300] }.trimmed().samples.is_empty());
    }

    #[test]
    fn what_is_quiet_and_what_is_loud_become_alike() {
        for height in [900, 3_000, 12_000, 32_000] {
            // The pause in the middle does not count.
            let mut sound =
                Sound { rate: 16_000, samples: [tone(16_000, height), vec![0; 64_000], tone(16_000, height)].concat() };
            sound.level();
            let loudness = sound.loudness().expect("it is not silent");
            assert!((0.1..0.12).contains(&loudness), "{height}: {loudness}");
        }
    }

    #[test]
    fn peaks_are_bent_and_never_wrap() {
        let samples = [tone(16_000, 600), vec![32_767, -32_768], tone(16_000, 600)].concat();
        let mut sound = Sound { rate: 16_000, samples };
        sound.level();
        let (high, low) = (sound.samples[16_000], sound.samples[16_001]);
        assert!(high > 26_000 && low < -26_000, "{high} {low}");
        let mut silence = Sound { rate: 16_000, samples: vec![0; 100] };
        silence.level();
        assert_eq!(silence.samples, vec![0; 100]);
    }
}
