//! Pseudorandom choices from a seed. The same seed must give the same picture forever, also after upgrades.

/// A pseudorandom number generator (`SplitMix64`, Steele et al. 2014).
///
/// Implemented here because the generators of the `rand` crate may change between releases, and covers must not.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A random number below `n`.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        // The high half times n, shifted down: uniform enough for small n, and without modulo bias.
        let high = self.next() >> 32;
        u32::try_from((high * u64::from(n)) >> 32).unwrap_or(0)
    }

    /// A random element of `choices`.
    pub(crate) fn of<T: Copy, const N: usize>(&mut self, choices: [T; N]) -> T {
        let n = u32::try_from(N).unwrap_or(u32::MAX);
        choices[self.below(n) as usize]
    }

    /// A random boolean.
    pub(crate) fn coin(&mut self) -> bool {
        self.below(2) == 0
    }
}

/// The finaliser of `SplitMix64`: each input bit flips about half of the output bits.
fn mix(state: u64) -> u64 {
    let a = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let b = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    b ^ (b >> 31)
}

/// The seed of a slug (a book's or a category's): its FNV-1a hash.
pub fn seed_of(subid: &str) -> u64 {
    subid.bytes().fold(SALT, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The initial value of the hash, chosen so that the demo books get varied covers.
const SALT: u64 = 0xfa76_e742_c0bd_a983;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_that_of_the_reference() {
        // First outputs of SplitMix64 for the seed 1234567, as published with the algorithm.
        let mut dice = Dice::new(1_234_567);
        assert_eq!(dice.next(), 6_457_827_717_110_365_317);
        assert_eq!(dice.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn every_choice_comes_up() {
        let mut seen = [0_u32; 12];
        let mut dice = Dice::new(7);
        for _ in 0..12_000 {
            seen[dice.below(12) as usize] += 1;
        }
        assert!(seen.iter().all(|n| (800..1200).contains(n)), "{seen:?}");
    }

    #[test]
    fn subids_have_seeds_of_their_own() {
        assert_ne!(seed_of("on-liberty"), seed_of("the-prince"));
        assert_eq!(seed_of("walden"), seed_of("walden"));
    }
}
