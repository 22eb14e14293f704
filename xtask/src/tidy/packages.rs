//! Which crate may depend on which, from `cargo metadata`.
//!
//! cargo-deny's `wrappers` restrict dependents too, but can't restrict a dependency to tests.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

/// A crate of the workspace and its dependencies.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Its path in the checkout.
    pub(crate) folder: String,
    dependencies: Vec<Dependency>,
}

#[derive(Clone, Debug)]
struct Dependency {
    name: String,
    /// Needed for its own tests only.
    for_tests: bool,
}

/// A crate's layer in the architecture (`docs/ARCHITECTURE.md`). A crate may only depend on earlier layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    Kernel,
    /// Rules and values of one domain; no I/O.
    Domain,
    /// Pure computation without domain rules: covers, documents, sound.
    Engine,
    Postgres,
    /// The job queue's runtime: registry, leases, polling.
    Worker,
    /// Each for one external system: mail server, object store, sign-in providers.
    Adapter,
    /// Workflows that cross domains.
    Workflows,
    /// Adapters that run workflows: they generate files and recordings, and load content.
    WorkflowAdapter,
    /// Building blocks of the HTTP shell that are independent of HTTP.
    Shell,
    /// The HTTP layer.
    Web,
    Server,
    Testing,
    Xtask,
}

/// The layer of each crate under `crates/` that is not a domain.
const LAYERS: &[(&str, Layer)] = &[
    ("kernel", Layer::Kernel),
    ("artwork", Layer::Engine),
    ("client-info", Layer::Engine),
    ("documents", Layer::Engine),
    ("postgres", Layer::Postgres),
    ("worker", Layer::Worker),
    ("text-extraction", Layer::Adapter),
    ("durable-fs", Layer::Adapter),
    ("language-model", Layer::Adapter),
    ("mail", Layer::Adapter),
    ("media", Layer::Adapter),
    ("openid", Layer::Adapter),
    ("page-fetch", Layer::Adapter),
    ("passkeys", Layer::Adapter),
    ("payments", Layer::Adapter),
    ("push", Layer::Adapter),
    ("workflows", Layer::Workflows),
    ("backup", Layer::WorkflowAdapter),
    ("narration", Layer::WorkflowAdapter),
    ("seed", Layer::WorkflowAdapter),
    ("cache", Layer::Shell),
    ("config", Layer::Shell),
    ("pages", Layer::Shell),
    ("telemetry", Layer::Shell),
    ("web", Layer::Web),
    ("testing", Layer::Testing),
    // A developer tool: it writes rows in bulk and measures the machine.
    ("synthetic", Layer::Testing),
];

impl Package {
    fn layer(&self) -> Option<Layer> {
        Some(match self.folder.as_str() {
            "apps/server" => Layer::Server,
            "xtask" => Layer::Xtask,
            folder => {
                let name = folder.strip_prefix("crates/")?;
                LAYERS.iter().find(|(known, _)| *known == name).map_or(Layer::Domain, |(_, layer)| *layer)
            }
        })
    }

    /// The names of its dependencies, for its code or its tests.
    pub(crate) fn dependencies(&self) -> impl Iterator<Item = &str> {
        self.dependencies.iter().map(|dependency| dependency.name.as_str())
    }

    /// Whether it is a domain of the product.
    pub(super) fn is_domain(&self) -> bool {
        matches!(self.layer(), Some(Layer::Domain | Layer::Engine))
    }
}

/// The workspace's crates.
pub(crate) struct Packages(Vec<Package>);

impl Packages {
    /// Parses `cargo metadata --no-deps`.
    pub(crate) fn read(metadata: &Value, root: &Path) -> Result<Self> {
        let list = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
        list.iter().map(|package| read_package(package, root)).collect::<Result<_>>().map(Self)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Package> {
        self.0.iter()
    }

    /// The dependencies that are not allowed.
    pub(super) fn breaches(&self) -> Vec<String> {
        let mut found = Vec::new();
        for package in &self.0 {
            let Some(layer) = package.layer() else {
                found.push(format!(
                    "{}: no crate of the workspace lies there (see docs/ARCHITECTURE.md)",
                    package.folder
                ));
                continue;
            };
            for dependency in &package.dependencies {
                let why = match self.0.iter().find(|other| other.name == dependency.name) {
                    Some(other) => within(layer, other.layer(), dependency.for_tests),
                    None => outside(layer, &dependency.name, dependency.for_tests),
                };
                if let Some(why) = why {
                    found.push(format!(
                        "{}/Cargo.toml: {} must not know {}: {why}",
                        package.folder, package.name, dependency.name
                    ));
                }
            }
        }
        found
    }
}

/// Why a crate of the workspace may not depend on another one; `None` when it may.
fn within(layer: Layer, other: Option<Layer>, for_tests: bool) -> Option<&'static str> {
    let other = other?;
    if for_tests && other == Layer::Testing && layer > Layer::Engine {
        return None;
    }
    match layer {
        Layer::Kernel => Some("the kernel depends on no other crate of ours"),
        Layer::Xtask => Some("xtask builds in seconds, without the product's crates"),
        Layer::Domain if other == Layer::Domain => Some("no domain knows another domain"),
        Layer::Domain => (other != Layer::Kernel).then_some("a domain depends on the kernel only"),
        Layer::Engine => (other != Layer::Kernel).then_some("an engine depends on the kernel only"),
        Layer::Postgres => {
            (!matches!(other, Layer::Kernel | Layer::Domain)).then_some("storage depends on the kernel and the domains")
        }
        Layer::Testing => (other >= Layer::Web).then_some("it lies below the server"),
        // The server may depend on all others, because its HTTP tests use the testing tools.
        Layer::Server => (other == Layer::Xtask).then_some("xtask is a tool, not a part"),
        // Adapters of one layer may depend on each other: the media store signs with what another one seals.
        Layer::Worker | Layer::Adapter | Layer::Workflows | Layer::WorkflowAdapter | Layer::Shell | Layer::Web => {
            (other > layer).then_some("a crate knows those of earlier layers only")
        }
    }
}

/// Why a crate of the workspace may not depend on a library; `None` when it may.
fn outside(layer: Layer, library: &str, for_tests: bool) -> Option<&'static str> {
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| library.starts_with(prefix));
    let storage = begins(&["diesel", "r2d2", "pq-sys", "tokio-postgres", "sqlx", "postgres"]);
    let http_server = begins(&["actix", "tracing-actix", "axum", "utoipa"]);
    let http = http_server || begins(&["hyper", "reqwest", "http"]);
    let wire = begins(&["serde_json", "utoipa"]);
    let runtime = begins(&["tokio", "async-std", "futures"]);
    match layer {
        Layer::Kernel | Layer::Domain | Layer::Engine => {
            if storage {
                Some("only crates/postgres knows the database")
            // Tests may read tables of cases that the web app's tests also read.
            } else if wire && !for_tests {
                Some("what goes over the wire has its own type beside its handler")
            } else if http {
                Some("domains know no HTTP")
            } else if runtime {
                Some("domains are synchronous")
            } else {
                None
            }
        }
        Layer::Postgres => (http || wire && library.starts_with("utoipa")).then_some("storage knows no HTTP"),
        Layer::Testing => None,
        // Their tests start servers, prepare rows and check what was written.
        _ if for_tests => None,
        Layer::Workflows if http => Some("workflows know no HTTP"),
        Layer::Worker | Layer::Adapter | Layer::Workflows | Layer::WorkflowAdapter | Layer::Shell if http_server => {
            Some("only web and apps/server serve HTTP")
        }
        _ => storage.then_some("only crates/postgres knows the database"),
    }
}

fn read_package(package: &Value, root: &Path) -> Result<Package> {
    let text =
        |value: &Value| value.as_str().map(str::to_owned).context("cargo metadata has another form than expected");
    let manifest = text(&package["manifest_path"])?;
    let folder =
        Path::new(&manifest).parent().and_then(|folder| folder.strip_prefix(root).ok()).unwrap_or(Path::new(""));
    let dependencies = package["dependencies"]
        .as_array()
        .context("a package without a list of dependencies")?
        .iter()
        .map(|dependency| Ok(Dependency { name: text(&dependency["name"])?, for_tests: dependency["kind"] == "dev" }))
        .collect::<Result<_>>()?;
    Ok(Package { name: text(&package["name"])?, folder: folder.to_string_lossy().into_owned(), dependencies })
}

/// A workspace from `(folder, name, [dependency])`; the prefix `dev:` marks a dependency for tests.
#[cfg(test)]
pub(crate) fn fixture(packages: &[(&str, &str, &[&str])]) -> Packages {
    let list: Vec<Value> = packages
        .iter()
        .map(|(folder, name, dependencies)| {
            let dependencies: Vec<Value> = dependencies
                .iter()
                .map(|dependency| match dependency.strip_prefix("dev:") {
                    Some(name) => serde_json::json!({ "name": name, "kind": "dev" }),
                    None => serde_json::json!({ "name": dependency, "kind": null }),
                })
                .collect();
            let manifest = format!("/checkout/{folder}/Cargo.toml");
            serde_json::json!({ "name": name, "manifest_path": manifest, "dependencies": dependencies })
        })
        .collect();
    Packages::read(&serde_json::json!({ "packages": list }), Path::new("/checkout")).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A correct workspace with one additional dependency.
    fn with(folder: &str, more: &str) -> Vec<String> {
        let plan: [(&str, &str, Vec<&str>); 10] = [
            ("crates/kernel", "kernel", vec!["thiserror"]),
            ("crates/identity", "identity", vec!["kernel", "argon2"]),
            ("crates/catalogue", "catalogue", vec!["kernel", "html5ever"]),
            (
                "crates/postgres",
                "postgres",
                vec!["kernel", "identity", "catalogue", "diesel", "serde_json", "dev:testing"],
            ),
            ("crates/mail", "mail", vec!["kernel", "identity", "worker", "tokio", "reqwest", "dev:testing"]),
            ("crates/worker", "worker", vec!["kernel", "postgres", "tokio"]),
            ("crates/workflows", "workflows", vec!["kernel", "identity", "catalogue", "postgres", "mail"]),
            ("crates/testing", "testing", vec!["kernel", "postgres", "diesel"]),
            (
                "apps/server",
                "server",
                vec!["kernel", "identity", "catalogue", "postgres", "workflows", "actix-web", "tokio", "dev:testing"],
            ),
            ("xtask", "xtask", vec!["anyhow"]),
        ];
        let plan: Vec<(&str, &str, Vec<&str>)> = plan
            .into_iter()
            .map(|(at, name, mut dependencies)| {
                if at == folder {
                    dependencies.push(more);
                }
                (at, name, dependencies)
            })
            .collect();
        let borrowed: Vec<(&str, &str, &[&str])> =
            plan.iter().map(|(at, name, dependencies)| (*at, *name, dependencies.as_slice())).collect();
        fixture(&borrowed).breaches()
    }

    #[track_caller]
    fn breaks(folder: &str, more: &str, why: &str) {
        let found = with(folder, more);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(folder) && found[0].contains(why), "{found:?}");
    }

    #[test]
    fn the_plan_itself_is_tidy() {
        assert_eq!(with("nowhere", ""), Vec::<String>::new());
    }

    #[test]
    fn layers_go_one_way() {
        breaks("crates/kernel", "catalogue", "no other crate of ours");
        breaks("crates/identity", "postgres", "depends on the kernel only");
        breaks("crates/identity", "dev:testing", "depends on the kernel only");
        breaks("crates/postgres", "server", "depends on the kernel and the domains");
        breaks("crates/postgres", "testing", "depends on the kernel and the domains");
        breaks("crates/testing", "server", "below the server");
        breaks("apps/server", "xtask", "a tool");
        breaks("xtask", "kernel", "without the product's crates");
    }

    #[test]
    fn adapters_and_stories_know_earlier_layers_only() {
        breaks("crates/worker", "mail", "earlier layers only");
        breaks("crates/mail", "workflows", "earlier layers only");
        breaks("crates/workflows", "server", "earlier layers only");
        breaks("crates/mail", "testing", "earlier layers only");
        breaks("crates/mail", "actix-web", "serve HTTP");
        breaks("crates/workflows", "reqwest", "no HTTP");
        breaks("crates/workflows", "utoipa", "no HTTP");
        breaks("crates/workflows", "diesel", "only crates/postgres");
        assert_eq!(with("crates/mail", "dev:hyper"), Vec::<String>::new());
    }

    #[test]
    fn domains_do_not_know_each_other() {
        breaks("crates/identity", "catalogue", "no domain knows another");
        breaks("crates/identity", "dev:catalogue", "no domain knows another");
    }

    #[test]
    fn domains_know_no_technique() {
        breaks("crates/catalogue", "actix-web", "no HTTP");
        breaks("crates/catalogue", "reqwest", "no HTTP");
        breaks("crates/catalogue", "tokio", "synchronous");
        breaks("crates/catalogue", "diesel", "only crates/postgres");
        breaks("crates/catalogue", "serde_json", "over the wire");
        breaks("crates/catalogue", "utoipa", "over the wire");
        breaks("crates/kernel", "diesel", "only crates/postgres");
    }

    #[test]
    fn storage_knows_no_http_and_no_other_crate_knows_storage() {
        breaks("crates/postgres", "actix-web", "no HTTP");
        breaks("crates/postgres", "utoipa", "no HTTP");
        breaks("apps/server", "diesel_migrations", "only crates/postgres");
        breaks("apps/server", "r2d2", "only crates/postgres");
        assert_eq!(with("apps/server", "dev:diesel"), Vec::<String>::new());
    }

    #[test]
    fn a_crate_in_a_strange_place_is_named() {
        let found = fixture(&[("tools/odd", "odd", &[])]).breaches();
        assert!(found[0].starts_with("tools/odd: "), "{found:?}");
    }
}
