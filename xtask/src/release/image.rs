//! The container image: an OCI layout in a tar archive, made from files of this machine without a container engine.
//!
//! `buildah` and Docker need rights or a daemon, and leave times and random names in an image. Older versions of Docker read
//! `manifest.json` instead of `index.json`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use flate2::{Compression, GzBuilder};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::stamp::Stamp;
use super::tree::Tree;
use super::{Parts, libraries};
use crate::console::say;

/// The user and group of the server in the image: none of a distribution's.
const USER: u32 = 10_001;
const PORT: u16 = 4_000;
const HOME: &str = "var/lib/pith";
const CERTIFICATES: &str = "etc/ssl/certs/ca-certificates.crt";

const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";

/// Writes the image's archive.
pub(crate) fn write(parts: &Parts<'_>, dist: &Path) -> Result<PathBuf> {
    let mut system = Tree::default();
    let libraries = libraries::of_program(parts.pith)?;
    for library in &libraries {
        let path = library.to_str().context("a library's path is not UTF-8")?;
        system.add_file(path.trim_start_matches('/'), 0o755, library);
    }
    let licenses = libraries::debian_licenses(&libraries);
    if licenses.is_empty() {
        say!("The image lacks the licenses of its libraries: add them before you pass it on");
    }
    for (package, license) in &licenses {
        system.add_file(&format!("usr/share/doc/{package}/copyright"), 0o644, license);
    }
    add_system(&mut system);
    let mut product = Tree::default();
    product.add_file("usr/bin/pith", 0o755, parts.pith);
    parts.add_documents(&mut product, "usr/share/doc/pith/");
    write_layers(parts.stamp, parts.compression, &[system, product], dist)
}

/// Adds what a program expects of a system: accounts, names, certificates, folders.
fn add_system(tree: &mut Tree) {
    let passwd = format!("root:x:0:0:root:/root:/sbin/nologin\npith:x:{USER}:{USER}:pith:/{HOME}:/sbin/nologin\n");
    tree.add_bytes("etc/passwd", 0o644, passwd);
    tree.add_bytes("etc/group", 0o644, format!("root:x:0:\npith:x:{USER}:\n"));
    tree.add_bytes("etc/nsswitch.conf", 0o644, "hosts: files dns\n");
    tree.add_bytes(CERTIFICATES, 0o644, certificates());
    tree.add_folder("tmp", 0o1777, 0);
    tree.add_folder(HOME, 0o750, USER.into());
}

/// Mozilla's certificate authorities: those of this machine may include its owner's.
fn certificates() -> String {
    let mut text = String::new();
    for certificate in webpki_root_certs::TLS_SERVER_ROOT_CERTS {
        let encoded = base64::engine::general_purpose::STANDARD.encode(certificate);
        text.push_str("-----BEGIN CERTIFICATE-----\n");
        for line in encoded.as_bytes().chunks(64) {
            text.extend(line.iter().map(|byte| char::from(*byte)));
            text.push('\n');
        }
        text.push_str("-----END CERTIFICATE-----\n");
    }
    text
}

/// Writes an image with these layers, the lowest first.
fn write_layers(stamp: &Stamp, compression: Compression, layers: &[Tree], dist: &Path) -> Result<PathBuf> {
    let architecture = architecture()?;
    // Layers are large, so they are files until they are in the archive.
    let folder = tempfile::tempdir_in(dist)?;
    let mut archive = Tree::default();
    let (mut descriptors, mut diff_ids) = (Vec::new(), Vec::new());
    for (number, layer) in layers.iter().enumerate() {
        let path = folder.path().join(number.to_string());
        let (diff_id, digest, size) = write_layer(layer, stamp.seconds, compression, &path)?;
        archive.add_file(&blob_path(&digest), 0o644, &path);
        descriptors.push(json!({ "mediaType": LAYER, "digest": digest, "size": size }));
        diff_ids.push(diff_id);
    }
    let config = add_json(&mut archive, CONFIG, &config(stamp, architecture, &diff_ids))?;
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": config,
        "layers": descriptors,
        "annotations": annotations(stamp),
    });
    let mut manifest = add_json(&mut archive, MANIFEST, &manifest)?;
    let name = format!("pith:{}", stamp.version);
    manifest["platform"] = json!({ "architecture": architecture, "os": "linux" });
    manifest["annotations"] = json!({ "org.opencontainers.image.ref.name": stamp.version, "io.containerd.image.name": format!("docker.io/library/{name}") });
    let index = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": [manifest] });
    archive.add_bytes("index.json", 0o644, serde_json::to_vec(&index)?);
    archive.add_bytes("oci-layout", 0o644, serde_json::to_vec(&json!({ "imageLayoutVersion": "1.0.0" }))?);
    let blob = |descriptor: &Value| descriptor["digest"].as_str().map(blob_path);
    let layers: Vec<_> = descriptors.iter().map(blob).collect();
    let docker = json!([{ "Config": blob(&config), "RepoTags": [name], "Layers": layers }]);
    archive.add_bytes("manifest.json", 0o644, serde_json::to_vec(&docker)?);

    let path = dist.join(format!("pith-{}-{}-image.tar", stamp.version, std::env::consts::ARCH));
    archive.write_tar(stamp.seconds, BufWriter::new(create(&path)?))?;
    Ok(path)
}

/// Writes a layer. Returns the digest of what it contains, the digest of the file, and the file's size.
fn write_layer(layer: &Tree, seconds: u64, compression: Compression, path: &Path) -> Result<(String, String, u64)> {
    let mut file = Hashed::new(BufWriter::new(create(path)?));
    let gzip = GzBuilder::new().mtime(0).write(&mut file, compression);
    let mut content = Hashed::new(gzip);
    layer.write_tar(seconds, &mut content)?;
    let (gzip, diff_id, _) = content.finish();
    gzip.finish()?.flush()?;
    let (_, digest, size) = file.finish();
    Ok((diff_id, digest, size))
}

/// Adds a JSON document to the archive's blobs and returns its descriptor.
fn add_json(archive: &mut Tree, media_type: &str, document: &Value) -> Result<Value> {
    let bytes = serde_json::to_vec(document)?;
    let digest = digest(&bytes);
    let descriptor = json!({ "mediaType": media_type, "digest": digest, "size": bytes.len() });
    archive.add_bytes(&blob_path(&digest), 0o644, bytes);
    Ok(descriptor)
}

/// What is run, and as whom. `Healthcheck` is Docker's addition; others ignore it.
fn config(stamp: &Stamp, architecture: &str, diff_ids: &[String]) -> Value {
    const SECOND: u64 = 1_000_000_000;
    let environment = [
        "PATH=/usr/bin".to_owned(),
        format!("PITH_HOME=/{HOME}"),
        "BIND=0.0.0.0".to_owned(),
        format!("PORT={PORT}"),
        format!("SSL_CERT_FILE=/{CERTIFICATES}"),
    ];
    let history =
        |what: &str| json!({ "created": stamp.timestamp(), "created_by": "cargo xtask release", "comment": what });
    json!({
        "created": stamp.timestamp(),
        "architecture": architecture,
        "os": "linux",
        "config": {
            "User": format!("{USER}:{USER}"),
            "ExposedPorts": { format!("{PORT}/tcp"): {} },
            "Env": environment,
            "Entrypoint": ["/usr/bin/pith"],
            "Cmd": ["serve"],
            "Volumes": { format!("/{HOME}"): {} },
            "WorkingDir": format!("/{HOME}"),
            "Labels": annotations(stamp),
            "StopSignal": "SIGTERM",
            "Healthcheck": {
                "Test": ["CMD", "/usr/bin/pith", "healthcheck"],
                "Interval": 30 * SECOND,
                "Timeout": 5 * SECOND,
                "StartPeriod": 30 * SECOND,
                "Retries": 3,
            },
        },
        "rootfs": { "type": "layers", "diff_ids": diff_ids },
        "history": [history("shared libraries and certificates"), history("the server")],
    })
}

fn annotations(stamp: &Stamp) -> Value {
    json!({
        "org.opencontainers.image.title": "Pith",
        "org.opencontainers.image.description": "Summaries of non-fiction books: the site and its API",
        "org.opencontainers.image.version": stamp.version,
        "org.opencontainers.image.revision": stamp.commit,
        "org.opencontainers.image.created": stamp.timestamp(),
    })
}

/// The name of this machine's architecture in images.
fn architecture() -> Result<&'static str> {
    match std::env::consts::ARCH {
        "x86_64" => Ok("amd64"),
        "aarch64" => Ok("arm64"),
        other => bail!("no image is made for {other}"),
    }
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| format!("cannot write {}", path.display()))
}

fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", hex::encode(Sha256::digest(bytes)))
}

fn blob_path(digest: &str) -> String {
    format!("blobs/{}", digest.replace(':', "/"))
}

/// Hashes and counts what is written.
struct Hashed<W> {
    inner: W,
    hash: Sha256,
    size: u64,
}

impl<W: Write> Hashed<W> {
    fn new(inner: W) -> Self {
        Self { inner, hash: Sha256::new(), size: 0 }
    }

    fn finish(self) -> (W, String, u64) {
        (self.inner, format!("sha256:{}", hex::encode(self.hash.finalize())), self.size)
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::io::Read as _;

    use oci_spec::image::{ImageConfiguration, ImageIndex, ImageManifest, MediaType, OciLayout};

    use super::*;

    fn stamp() -> Stamp {
        Stamp { version: "1.2.3".to_owned(), commit: "abc123".to_owned(), seconds: 1_700_000_000 }
    }

    fn image(folder: &Path) -> Vec<u8> {
        let mut system = Tree::default();
        add_system(&mut system);
        let mut product = Tree::default();
        product.add_bytes("usr/bin/pith", 0o755, "program");
        fs::read(write_layers(&stamp(), Compression::fast(), &[system, product], folder).unwrap()).unwrap()
    }

    #[test]
    fn an_image_is_read_back_by_the_types_of_its_specification() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = image(folder.path());
        let mut files = BTreeMap::new();
        for entry in tar::Archive::new(bytes.as_slice()).entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            files.insert(entry.path().unwrap().to_str().unwrap().to_owned(), content);
        }
        let layout = OciLayout::from_reader(files["oci-layout"].as_slice()).unwrap();
        assert_eq!(layout.image_layout_version(), "1.0.0");
        let index = ImageIndex::from_reader(files["index.json"].as_slice()).unwrap();
        let blob = |descriptor: &oci_spec::image::Descriptor| {
            let bytes = &files[&blob_path(descriptor.digest().as_ref())];
            assert_eq!(digest(bytes), descriptor.digest().to_string());
            assert_eq!(bytes.len() as u64, descriptor.size());
            bytes.as_slice()
        };
        assert_eq!(index.manifests()[0].media_type(), &MediaType::ImageManifest);
        let manifest = ImageManifest::from_reader(blob(&index.manifests()[0])).unwrap();
        assert_eq!(manifest.config().media_type(), &MediaType::ImageConfig);
        let config = ImageConfiguration::from_reader(blob(manifest.config())).unwrap();
        assert_eq!(config.created().as_deref(), Some("2023-11-14T22:13:20Z"));
        let run = config.config().as_ref().unwrap();
        assert_eq!(run.user().as_deref(), Some("10001:10001"));
        assert_eq!(run.entrypoint().as_deref(), Some(&["/usr/bin/pith".to_owned()][..]));
        assert_eq!(run.labels().as_ref().unwrap()["org.opencontainers.image.revision"], "abc123");
        assert_eq!(config.rootfs().diff_ids().len(), 2);
        for (layer, diff_id) in manifest.layers().iter().zip(config.rootfs().diff_ids()) {
            assert_eq!(layer.media_type(), &MediaType::ImageLayerGzip);
            let mut content = Vec::new();
            flate2::read::GzDecoder::new(blob(layer)).read_to_end(&mut content).unwrap();
            assert_eq!(&digest(&content), diff_id);
        }
    }

    #[test]
    fn an_image_made_twice_has_the_same_bytes() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        assert_eq!(image(one.path()), image(other.path()));
    }

    #[test]
    fn certificates_are_written_in_lines() {
        let text = certificates();
        assert!(text.matches("BEGIN CERTIFICATE").count() > 50);
        assert!(text.lines().all(|line| line.len() <= 64));
    }
}
