//! The child process for tests: `read` and `draw` as in the product, and modes that misbehave on purpose.

#![allow(clippy::print_stdout, reason = "it speaks on its standard output")]

use std::fs::File;
use std::io::Write;
use std::process::ExitCode;

use text_extraction::{run_child, run_drawing_child, run_limited};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((mode, rest)) = arguments.split_first() else { return ExitCode::FAILURE };
    if mode == "read" {
        return run_child(&["read"], rest);
    }
    if mode == "draw" {
        return run_drawing_child(&["draw"], rest);
    }
    run_limited(&[mode], rest, |_| misbehave(mode))
}

fn misbehave(mode: &str) -> ExitCode {
    match mode {
        "compute" => loop {
            std::hint::spin_loop();
        },
        "sleep" => loop {
            std::thread::park();
        },
        "allocate" => {
            let mut all = Vec::new();
            loop {
                all.push(vec![1_u8; 1 << 20]);
            }
        }
        "print" => loop {
            if std::io::stdout().write_all(&[b'x'; 4_096]).is_err() {
                return ExitCode::FAILURE;
            }
        },
        "open" => {
            let files: Vec<_> = std::iter::from_fn(|| File::open("/dev/null").ok()).take(1_000).collect();
            println!("{{\"Err\":{{\"TooManyParts\":{{\"limit\":{}}}}}}}", files.len());
            ExitCode::SUCCESS
        }
        "environment" => {
            let names: Vec<String> = std::env::vars().map(|(name, _)| name).collect();
            let folder = std::env::current_dir().unwrap_or_default();
            eprintln!("{} in {}", names.join(" "), folder.display());
            ExitCode::FAILURE
        }
        "recurse" => {
            println!("{}", recurse(0));
            ExitCode::SUCCESS
        }
        "panic" => panic!("on purpose"),
        "lie" => {
            println!("{{\"Ok\":{{\"kind\":\"Text\"");
            ExitCode::SUCCESS
        }
        _ => ExitCode::FAILURE,
    }
}

fn recurse(depth: u64) -> u64 {
    let here = std::hint::black_box([depth; 64]);
    if depth == u64::MAX { 0 } else { recurse(depth + 1) + here[0] }
}
