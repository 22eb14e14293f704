//! The container image: its archive holds what it says, and its server runs in its root as its user.

use std::fs::{self, File};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use flate2::read::GzDecoder;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Checks, Root, Site, check_front_page, ensure_that, last_lines, settings};
use crate::process::{self, Running};
use crate::{ports, server};

const READY_LIMIT: Duration = Duration::from_mins(2);
/// At least 32 characters, and not guessable.
const SECRET: &str = "k3Vw9qXz7TnB2mRf5LdY8pHs4JgC6aUe";

/// Reads the image and runs it. `secret` is what the database was sealed with, if it was.
pub(super) fn check(site: &Site<'_>, secret: Option<&str>, archive: &Path, checks: &mut Checks) -> Result<()> {
    let layout = site.folder.join("layout");
    fs::create_dir(&layout)?;
    process::output(Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(&layout))?;
    let root = Root::new(site.folder.join("image"), site.scratch.checkout)?;
    let config = match unpack(&layout, &root) {
        Ok(config) => config,
        Err(error) => {
            checks.check_result("the image's archive holds what it says", Err(error));
            return Ok(());
        }
    };
    checks.check_result("the image's archive holds what it says", Ok(()));
    let license =
        root.path("/usr/share/doc/libssl3/copyright").is_file() || !Path::new("/usr/share/doc/libssl3").exists();
    checks.check_result("the image has its libraries' licenses", ensure_that(license, "OpenSSL's is missing"));
    checks.check_result("the image is described for Docker too", check_docker(&layout));

    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, ports::free_on_loopback()?));
    let run = &config["config"];
    let user = run["User"].as_str().context("the image has no user")?;
    checks.check_result("the image's user is not root", ensure_that(!user.starts_with('0'), user));
    let command = |verb: &str, owner: bool| -> Result<Command> {
        let mut command = root.command(Some(user), run["Entrypoint"][0].as_str().context("no entry point")?)?;
        command.env_clear().arg(verb);
        for variable in run["Env"].as_array().context("no environment")? {
            let variable = variable.as_str().and_then(|text| text.split_once('=')).context("a bad variable")?;
            command.env(variable.0, variable.1);
        }
        command.envs(settings(site, address)).env("BIND", "0.0.0.0").env("PITH_SECRET", secret.unwrap_or(SECRET));
        if let Some(url) = site.database.owner.as_deref().filter(|_| owner) {
            command.env("DATABASE_OWNER_URL", url);
        }
        Ok(command)
    };
    process::output(&mut command("migrate", true)?)?;
    process::output(&mut command("seed", false)?)?;
    let verb = run["Cmd"][0].as_str().context("the image has no command")?;
    let log = site.folder.join("image.log");
    let mut serve = command(verb, false)?;
    serve.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&log)?);
    let mut server = Running::spawn(&mut serve, "the image's server")?;
    let ready = server::await_ready(&mut server, address, "/readyz", READY_LIMIT).with_context(|| last_lines(&log));
    checks.check_result("the image's server becomes ready", ready);
    checks.check_result("the image's server answers its front page", check_front_page(address));
    let healthy = run["Healthcheck"]["Test"][2].as_str().context("the image has no health check")?;
    checks.check_result("its health check passes", process::output(&mut command(healthy, false)?).map(drop));
    drop(server);
    let fails = process::output(&mut command(healthy, false)?).is_err();
    checks.check_result("its health check fails once the server has ended", ensure_that(fails, "it passes"));
    Ok(())
}

/// Verifies every digest and size from the index down, and unpacks the layers. Returns the configuration.
fn unpack(layout: &Path, root: &Root) -> Result<Value> {
    let read = |path: &str| -> Result<Value> { Ok(serde_json::from_slice(&fs::read(layout.join(path))?)?) };
    ensure!(read("oci-layout")?["imageLayoutVersion"] == "1.0.0", "it is no OCI layout");
    let index = read("index.json")?;
    let manifest: Value = serde_json::from_slice(&blob(layout, &index["manifests"][0])?)?;
    let config: Value = serde_json::from_slice(&blob(layout, &manifest["config"])?)?;
    let diff_ids = config["rootfs"]["diff_ids"].as_array().context("the configuration names no layers")?;
    let layers = manifest["layers"].as_array().context("the manifest names no layers")?;
    ensure!(layers.len() == diff_ids.len(), "the configuration names other layers than the manifest");
    for (layer, diff_id) in layers.iter().zip(diff_ids) {
        let bytes = blob(layout, layer)?;
        let mut content = Sha256::new();
        io::copy(&mut GzDecoder::new(bytes.as_slice()), &mut content)?;
        let found = format!("sha256:{}", hex::encode(content.finalize()));
        ensure!(diff_id == &Value::from(found.as_str()), "a layer's content is {found}, not {diff_id}");
        let mut archive = tar::Archive::new(GzDecoder::new(bytes.as_slice()));
        archive.set_preserve_permissions(true);
        archive.set_preserve_ownerships(true);
        archive.unpack(root.folder())?;
    }
    Ok(config)
}

/// Reads what a descriptor names.
fn blob(layout: &Path, descriptor: &Value) -> Result<Vec<u8>> {
    let digest = descriptor["digest"].as_str().context("a descriptor without a digest")?;
    let bytes = fs::read(layout.join("blobs").join(digest.replace(':', "/")))?;
    let found = format!("sha256:{}", hex::encode(Sha256::digest(&bytes)));
    ensure!(found == digest, "{digest} has the digest {found}");
    ensure!(descriptor["size"] == bytes.len(), "{digest} has {} bytes, not {}", bytes.len(), descriptor["size"]);
    Ok(bytes)
}

/// Whether `manifest.json` names files of the archive.
fn check_docker(layout: &Path) -> Result<()> {
    let manifest: Value = serde_json::from_slice(&fs::read(layout.join("manifest.json"))?)?;
    let layers = manifest[0]["Layers"].as_array().context("it names no layers")?;
    for path in layers.iter().chain([&manifest[0]["Config"]]) {
        let path = path.as_str().context("it names no file")?;
        ensure!(layout.join(path).is_file(), "{path} is not in the archive");
    }
    Ok(())
}
