//! `cargo xtask test`: the whole truth, in one order, summed up in one line.

mod counts;
mod crash;
mod scratch;
mod suites;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};

use self::counts::{Counts, Outcome};
use self::scratch::Scratch;
use self::suites::{SUITES, Suite};
use crate::checkout::Checkout;
use crate::{frontend, signals, tools};

/// Runs all suites, or those named; all of them run even when one fails.
pub(crate) fn test(checkout: &Checkout, rest: &[String]) -> Result<ExitCode> {
    if rest.first().is_some_and(|flag| flag == "--list") {
        for suite in SUITES {
            println!("{:<9} {}", suite.name, suite.what);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let chosen = choose(rest)?;
    tools::ensure_build_tools()?;
    let begin = Instant::now();
    let mut scratch = Scratch::new(checkout)?;
    let mut total = Counts::default();
    let mut failed = Vec::new();
    let mut packages_fail = None;
    for suite in &chosen {
        let start = Instant::now();
        println!("\n── {}: {}", suite.name, suite.what);
        // Without packages no tool of the web app is there; said once, and each of its suites counts as failed.
        if suite.needs_packages && packages_fail.is_none() {
            packages_fail = Some(match frontend::install_packages(checkout) {
                Err(error) if error.is::<signals::Interrupted>() => return Err(error),
                outcome => outcome.is_err_and(|error| {
                    println!("{error:#}");
                    true
                }),
            });
        }
        let outcome = if suite.needs_packages && packages_fail == Some(true) {
            println!("the web app's packages are not there");
            Ok(Counts::FAILED.into())
        } else {
            (suite.run)(&mut scratch)
        };
        let Outcome { counts, failures } = match outcome {
            Ok(outcome) => outcome,
            Err(error) if error.is::<signals::Interrupted>() => return Err(error),
            Err(error) => {
                println!("{error:#}");
                Counts::FAILED.into()
            }
        };
        if counts.failed > 0 {
            failed.push((suite.name, failures));
        }
        total += counts;
        println!("── {}: {counts} ({:.1} s)", suite.name, start.elapsed().as_secs_f32());
    }
    drop(scratch);
    println!("\n{} suites in {:.0} s", chosen.len(), begin.elapsed().as_secs_f32());
    for (name, failures) in &failed {
        println!("failed: {name}");
        for failure in failures {
            println!("  {failure}");
        }
    }
    println!("{total}");
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn choose(names: &[String]) -> Result<Vec<&'static Suite>> {
    if let Some(unknown) = names.iter().find(|name| !SUITES.iter().any(|suite| suite.name == name.as_str())) {
        let known: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
        bail!("there is no suite `{unknown}`; there are: {}", known.join(" "));
    }
    Ok(SUITES.iter().filter(|suite| names.is_empty() || names.iter().any(|name| name == suite.name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_are_chosen_by_name_in_their_own_order() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let chosen: Vec<&str> = choose(&names(&["rust", "fmt"])).unwrap().iter().map(|suite| suite.name).collect();
        assert_eq!(chosen, ["fmt", "rust"]);
        assert_eq!(choose(&[]).unwrap().len(), SUITES.len());
        assert!(choose(&names(&["browser", "vitset"])).unwrap_err().to_string().contains("`vitset`"));
    }
}
