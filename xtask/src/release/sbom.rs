//! The bill of materials, in `CycloneDX`'s JSON format.
//!
//! `cyclonedx-bom` would bring thirty crates to write four objects; the suite `release` holds the file against the official schema.

use anyhow::Result;
use serde_json::{Value, json};

use super::components::Component;
use super::stamp::Stamp;

/// Writes the bill of these packages. It has no serial number, which would have to be random.
pub(crate) fn text(stamp: &Stamp, components: &[Component]) -> Result<String> {
    let product = format!("pith@{}", stamp.version);
    let mut relations: Vec<Value> =
        components.iter().map(|component| json!({ "ref": component.purl(), "dependsOn": component.uses })).collect();
    // What no other package uses is used by the product itself.
    let is_used = |purl: &String| components.iter().any(|one| one.uses.contains(purl));
    let direct: Vec<String> = components.iter().map(Component::purl).filter(|purl| !is_used(purl)).collect();
    relations.insert(0, json!({ "ref": product, "dependsOn": direct }));
    let bill = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": stamp.timestamp(),
            "tools": { "components": [{ "type": "application", "name": "xtask", "version": stamp.version }] },
            "component": {
                "type": "application",
                "bom-ref": product,
                "name": "pith",
                "version": stamp.version,
                "properties": [{ "name": "commit", "value": stamp.commit }],
            },
        },
        "components": components.iter().map(entry).collect::<Vec<_>>(),
        "dependencies": relations,
    });
    Ok(serde_json::to_string_pretty(&bill)? + "\n")
}

fn entry(component: &Component) -> Value {
    let purl = component.purl();
    let mut entry = json!({
        "type": "library",
        "bom-ref": purl,
        "name": component.name,
        "version": component.version,
        "purl": purl,
    });
    if let Some(license) = &component.license {
        entry["licenses"] = json!([{ "expression": license }]);
    }
    if let Some((algorithm, hash)) = &component.hash {
        entry["hashes"] = json!([{ "alg": algorithm, "content": hash }]);
    }
    entry
}
