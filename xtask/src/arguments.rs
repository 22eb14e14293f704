//! Numeric command-line options: `--books 20000 --seconds 3`.
//!
//! `clap` would add a dozen crates to a tool that must build before anything else can.

use anyhow::{Result, bail};

/// The values of these options, each at least 1; an option that is not given has the default beside its name.
pub(crate) fn numbers<const N: usize>(verb: &str, rest: &[String], known: [(&str, u32); N]) -> Result<[u32; N]> {
    let mut numbers = known.map(|(_, default)| default);
    for pair in rest.chunks(2) {
        let Some(index) = known.iter().position(|(name, _)| *name == pair[0]) else {
            let names = known.map(|(name, _)| format!("`{name} N`")).join(" and ");
            bail!("`{verb}` knows {names}, not `{}`", rest.join(" "));
        };
        numbers[index] = match pair.get(1).map(|number| number.parse()) {
            Some(Ok(number)) if number > 0 => number,
            _ => bail!("{} takes a number", pair[0]),
        };
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_what_is_no_option_is_named() {
        let of = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            numbers("bench", &words, [("--books", 1_000), ("--seconds", 10)])
        };
        assert_eq!(of("--seconds 3 --books 100000").unwrap(), [100_000, 3]);
        assert_eq!(of("").unwrap(), [1_000, 10]);
        for bad in ["--books", "--books 0", "--books many", "fast", "--books 1 fast"] {
            assert!(of(bad).is_err(), "{bad}");
        }
        assert!(
            of("fast").unwrap_err().to_string().contains("`bench` knows `--books N` and `--seconds N`, not `fast`")
        );
    }
}
