//! `cargo xtask <verb>`: the commands of developers and operators.
//!
//! Each verb prints what it does, checks what it needs, and removes what it started, also when it is interrupted. It writes only
//! to the checkout and to `PITH_HOME` (tests: to a temporary folder that is removed).

#![allow(clippy::print_stdout, reason = "a command-line tool speaks on its standard output")]

mod arguments;
mod bench;
mod checkout;
mod codegen;
mod console;
mod data;
mod frontend;
mod fuzz;
mod home;
mod http;
mod instance;
mod pictures;
mod ports;
mod postgres;
mod process;
mod pypi;
mod release;
mod server;
mod signals;
mod test;
mod texts;
mod tidy;
mod tools;
mod up;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::checkout::Checkout;

const HELP: &str = "\
cargo xtask <verb>

  up [--release]         build everything, start Postgres and the server with the demo content
  test [suite …]         run every test; `cargo xtask test --list` names the suites
  test --changed [REV]   run what the changes since REV (HEAD) can reach
  tidy                   check the dependencies between crates and the rules for sources
  texts                  write every text that the product shows into target/xtask/texts.md
  codegen [--check]      server -> openapi.json -> frontend/src/api/schema.gen.ts
  release                make archive, Debian package, image, checksums and bill of materials in target/dist
  bench [--books N]      measure against this machine's own limits
  bench scale [BOOKS] [SECONDS] [MEMBERS]
                         compare a small site with a large one
  bench statements [--seconds N]
                         the slowest statements under a mixed load, on the DATABASE_URL of a large site
  bench soak [--minutes N] [--rate N]
                         watch memory, handles and connections, on the DATABASE_URL of a large site
  bench --enumeration    compare the times of answers about known and unknown addresses
  bench --upload [--size MB]
                         compare the upload of a large video with cp and fsync
  bench --summaries      compare the built-in summaries with sumy's (from PyPI)
  fuzz-api [--examples N]
                         hold the API's description against a real server (schemathesis, from PyPI)
  pictures               take the pictures of the README from a demo of its own
  seed [argument …]      call `pith seed` on the database that `up` uses
  seed --scale N [--members M]
                         add N synthetic books and M members to it
  export FOLDER          write the content that `up` uses into a new folder, in the format of `seed`; `up` may be running
  backup FILE            write the database and the media that `up` uses into a new file; `up` may be running
  restore FILE           fill a new PITH_HOME (or an empty DATABASE_URL) from a backup
  rotate-keys [arg …]    call `pith rotate-keys` on the database that `up` uses
  grant-role EMAIL ROLE  call `pith grant-role` on the database that `up` uses
  reset-second-factor EMAIL
                         call `pith reset-second-factor` on the database that `up` uses
  ledger-check           call `pith ledger-check` on the database that `up` uses

Environment: PORT (4000), BIND (127.0.0.1), PITH_HOME (var/ in the checkout), PITH_PROFILE (demo),
DATABASE_URL and DATABASE_OWNER_URL (a Postgres of your own), PG_BIN (the folder of a Postgres' programs).";

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) if error.is::<signals::Interrupted>() => {
            eprintln!("Interrupted; everything that was started is stopped.");
            ExitCode::from(130)
        }
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((verb, rest)) = arguments.split_first() else {
        println!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    };
    signals::listen()?;
    let checkout = Checkout::find()?;
    match verb.as_str() {
        "up" => up::up(&checkout, rest),
        "test" => test::test(&checkout, rest),
        "tidy" => tidy::command(&checkout),
        "texts" => texts::command(&checkout, rest),
        "codegen" => codegen::command(&checkout, rest),
        "release" => release::command(&checkout, rest),
        "bench" => bench::bench(&checkout, rest),
        "pictures" => pictures::command(&checkout, rest),
        "fuzz-api" => fuzz::command(&checkout, rest),
        "seed"
        | "export"
        | "backup"
        | "restore"
        | "rotate-keys"
        | "grant-role"
        | "reset-second-factor"
        | "ledger-check" => data::command(&checkout, verb, rest),
        "help" | "--help" | "-h" => {
            println!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        other => bail!("there is no verb `{other}`\n\n{HELP}"),
    }
}
