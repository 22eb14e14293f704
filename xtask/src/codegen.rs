//! Generates the API contract: the server's handlers → `openapi.json` → `frontend/src/api/schema.gen.ts`.
//!
//! `openapi-typescript` generates the types; this also checks that the generated files in the checkout are up to date.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::checkout::Checkout;
use crate::server::{self, Profile};
use crate::{frontend, process};

/// The paths of the generated files in the checkout.
const DOCUMENT: &str = "openapi.json";
const TYPES: &str = "frontend/src/api/schema.gen.ts";

/// Writes both files, or with `--check` reports which are out of date.
pub(crate) fn command(checkout: &Checkout, rest: &[String]) -> Result<ExitCode> {
    let check = match rest {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => bail!("`codegen` knows `--check` only, not `{}`", rest.join(" ")),
    };
    frontend::install_packages(checkout)?;
    let pith = server::build(checkout, Profile::Debug)?;
    if check {
        check_fresh(checkout, &pith)?;
        println!("{DOCUMENT} and {TYPES} are what the sources produce.");
    } else {
        let made = tempfile::tempdir()?;
        for (name, fresh) in generate(checkout, &pith, made.path())? {
            let target = checkout.root().join(name);
            fs::create_dir_all(target.parent().context("a generated file has a folder")?)?;
            fs::copy(fresh, &target).with_context(|| format!("cannot write {name}"))?;
            println!("wrote {name}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Fails with the names of the files that are out of date.
pub(crate) fn check_fresh(checkout: &Checkout, pith: &Path) -> Result<()> {
    let made = tempfile::tempdir()?;
    let mut stale = Vec::new();
    for (name, fresh) in generate(checkout, pith, made.path())? {
        if fs::read(checkout.root().join(name)).unwrap_or_default() != fs::read(&fresh)? {
            stale.push(name);
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    bail!("{} is not what the sources produce: run `cargo xtask codegen` and commit it", stale.join(" and "))
}

/// Generates both files in `folder`, from the output of the server's program.
fn generate(checkout: &Checkout, pith: &Path, folder: &Path) -> Result<[(&'static str, PathBuf); 2]> {
    let document = folder.join("openapi.json");
    let types = folder.join("schema.gen.ts");
    let mut server = Command::new(pith);
    server.current_dir(checkout.root()).arg("openapi");
    fs::write(&document, pretty(&process::output(&mut server)?)?)?;
    let mut generator = frontend::tool(checkout, "openapi-typescript")?;
    process::output(generator.arg(&document).arg("--output").arg(&types))?;
    Ok([(DOCUMENT, document), (TYPES, types)])
}

/// Normalizes the document: sorted keys, two spaces, a final newline.
fn pretty(document: &str) -> Result<String> {
    let value: Value = serde_json::from_str(document).context("`pith openapi` printed something that is not JSON")?;
    Ok(serde_json::to_string_pretty(&sorted(value))? + "\n")
}

/// Sorts the keys, even if another crate in the build enables `preserve_order` of `serde_json`.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(String, Value)> = map.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            entries.sort_by(|one, other| one.0.cmp(&other.0));
            Value::Object(entries.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spelling_does_not_depend_on_the_order() {
        let one = pretty(r#"{"b":{"d":1,"c":[2,{"f":3,"e":4}]},"a":null}"#).unwrap();
        let other = pretty(r#"{"a":null,"b":{"c":[2,{"e":4,"f":3}],"d":1}}"#).unwrap();
        assert_eq!(one, other);
        assert!(one.starts_with("{\n  \"a\": null,") && one.ends_with("}\n"), "{one}");
    }

    #[test]
    fn what_is_not_json_is_refused() {
        assert!(pretty("thread panicked").is_err());
    }
}
