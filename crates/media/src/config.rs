//! Configuration of the object store: a folder, or a bucket of an S3 service.

use kernel::{ConfigError, Secret};
use url::Url;

/// Where files are stored.
#[derive(Clone, Debug)]
pub enum MediaConfig {
    /// In `PITH_HOME/media`.
    Folder,
    S3(S3Config),
}

/// A bucket of an S3 service.
#[derive(Clone, Debug)]
pub struct S3Config {
    pub bucket: String,
    /// The prefix of all keys in the bucket; may be empty.
    pub prefix: String,
    /// The URL of the S3 service; `None` for Amazon's, which follows from the region.
    pub endpoint: Option<String>,
    pub region: String,
    pub access_key_id: String,
    pub secret_access_key: Secret,
}

impl MediaConfig {
    /// Reads `MEDIA_URL` and, for a bucket, the `S3_…` variables.
    pub fn read(var: &impl Fn(&'static str) -> Option<String>) -> Result<Self, ConfigError> {
        let Some(text) = var("MEDIA_URL") else { return Ok(Self::Folder) };
        let form = || ConfigError::new("MEDIA_URL", format!("is s3://bucket or s3://bucket/prefix, not '{text}'"));
        let url = Url::parse(text.trim()).map_err(|_| form())?;
        let plain = url.username().is_empty() && url.port().is_none() && url.query().is_none();
        let bucket = url.host_str().filter(|_| url.scheme() == "s3" && plain).ok_or_else(form)?;
        let needed = |name| var(name).ok_or_else(|| ConfigError::new(name, "is missing: MEDIA_URL names a bucket"));
        let endpoint = var("S3_ENDPOINT").map(|text| endpoint(&text)).transpose()?;
        let region = match var("S3_REGION") {
            Some(region) => region,
            // Most self-hosted services have no regions.
            None if endpoint.is_some() => "us-east-1".to_owned(),
            None => return Err(ConfigError::new("S3_REGION", "is missing: MEDIA_URL names a bucket at Amazon")),
        };
        Ok(Self::S3(S3Config {
            bucket: bucket.to_owned(),
            prefix: url.path().trim_matches('/').to_owned(),
            endpoint,
            region,
            access_key_id: needed("S3_ACCESS_KEY_ID")?,
            secret_access_key: Secret::new(needed("S3_SECRET_ACCESS_KEY")?),
        }))
    }
}

fn endpoint(text: &str) -> Result<String, ConfigError> {
    let text = text.trim().trim_end_matches('/');
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() && url.query().is_none() => {
            Ok(text.to_owned())
        }
        _ => Err(ConfigError::new(
            "S3_ENDPOINT",
            format!("is the service's address, like https://s3.example, not '{text}'"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(vars: &[(&str, &str)]) -> Result<MediaConfig, String> {
        let var = |name: &'static str| vars.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        MediaConfig::read(&var).map_err(|error| error.to_string())
    }

    const KEYS: [(&str, &str); 2] = [("S3_ACCESS_KEY_ID", "ada"), ("S3_SECRET_ACCESS_KEY", "hush")];

    #[test]
    fn files_are_stored_in_a_folder_unless_a_bucket_is_configured() {
        assert!(matches!(read(&[]), Ok(MediaConfig::Folder)));
        let vars =
            [&KEYS[..], &[("MEDIA_URL", "s3://pith/media/"), ("S3_ENDPOINT", "http://127.0.0.1:9000/")]].concat();
        let Ok(MediaConfig::S3(s3)) = read(&vars) else { panic!("a bucket") };
        assert_eq!((s3.bucket.as_str(), s3.prefix.as_str(), s3.region.as_str()), ("pith", "media", "us-east-1"));
        assert_eq!(s3.endpoint.as_deref(), Some("http://127.0.0.1:9000"));
        assert!(!format!("{s3:?}").contains("hush"), "a secret is never printed");
    }

    #[test]
    fn a_missing_or_wrong_variable_is_named() {
        let bucket = ("MEDIA_URL", "s3://pith");
        for (vars, name) in [
            (vec![("MEDIA_URL", "/srv/media")], "MEDIA_URL"),
            (vec![("MEDIA_URL", "https://s3.example/pith")], "MEDIA_URL"),
            (vec![("MEDIA_URL", "s3://")], "MEDIA_URL"),
            (vec![("MEDIA_URL", "s3://ada:hush@pith")], "MEDIA_URL"),
            (vec![bucket], "S3_REGION"),
            (vec![bucket, ("S3_REGION", "eu-west-1")], "S3_ACCESS_KEY_ID"),
            (vec![bucket, ("S3_REGION", "eu-west-1"), KEYS[0]], "S3_SECRET_ACCESS_KEY"),
            (vec![bucket, KEYS[0], KEYS[1], ("S3_ENDPOINT", "s3.example")], "S3_ENDPOINT"),
        ] {
            let error = read(&vars).expect_err("a bad value stops the start");
            assert!(error.starts_with(&format!("{name}: ")), "{error}");
        }
    }
}
