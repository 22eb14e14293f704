//! `pith-synthetic`, a tool for `cargo xtask bench` and `cargo xtask seed --scale`: loads synthetic books with members who have
//! read them, and measures the limits of this machine. It is not part of the product.
#![allow(clippy::print_stdout, reason = "commands answer on the standard output")]

mod books;
mod limits;
mod load;
mod members;
mod purchases;
mod statements;

use anyhow::{Context, bail};

const HELP: &str = "\
pith-synthetic <command>

  books N [--members M]
                 add N synthetic books and M members (N) with what they have read and bought to the database of DATABASE_URL
  serve-static   serve 12 kB from memory on BIND:PORT
  argon2         print how many password hashes a second this machine makes";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["books", books] => load::load(&variable("DATABASE_URL")?, number(books)?, number(books)?),
        ["books", books, "--members", members] => {
            load::load(&variable("DATABASE_URL")?, number(books)?, number(members)?)
        }
        ["serve-static"] => {
            let (bind, port) = (variable("BIND")?.parse()?, variable("PORT")?.parse()?);
            actix_web::rt::System::new().block_on(limits::serve_static(bind, port))
        }
        ["argon2"] => {
            println!("{:.1}", limits::hashes_per_second(5));
            Ok(())
        }
        _ => bail!("that is not a command\n\n{HELP}"),
    }
}

fn number(text: &str) -> anyhow::Result<u32> {
    text.parse().with_context(|| format!("`books` and `--members` take a number, not '{text}'"))
}

fn variable(name: &str) -> anyhow::Result<String> {
    std::env::var(name).with_context(|| format!("{name} is not set"))
}
