//! Configuration of the object store: a folder, or a bucket of an S3 service.

use kernel::{ConfigError, Secret, config::Variables};
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

const MEDIA_URL: &str = "MEDIA_URL";
const S3_ENDPOINT: &str = "S3_ENDPOINT";
const S3_REGION: &str = "S3_REGION";
const S3_ACCESS_KEY_ID: &str = "S3_ACCESS_KEY_ID";
const S3_SECRET_ACCESS_KEY: &str = "S3_SECRET_ACCESS_KEY";

impl MediaConfig {
    /// Reads `MEDIA_URL` and, for a bucket, the `S3_…` variables. `None` if something is wrong.
    pub fn read(vars: &Variables) -> Option<Self> {
        match vars.trimmed(MEDIA_URL) {
            None => Some(Self::Folder),
            Some(text) => S3Config::read(vars, MEDIA_URL, &text).map(Self::S3),
        }
    }
}

impl S3Config {
    /// The `S3_…` variables.
    pub const VARIABLES: [&str; 4] = [S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY];

    /// Reads the bucket's address, the value of another variable, and the `S3_…` variables. `None` if something is wrong.
    pub fn read(vars: &Variables, name: &'static str, text: &str) -> Option<Self> {
        let address = vars.accept(bucket_of(name, text));
        let endpoint = match vars.get(S3_ENDPOINT) {
            Some(text) => vars.accept(endpoint(&text)).map(Some),
            None => Some(None),
        };
        let region = match vars.trimmed(S3_REGION) {
            Some(region) => Some(region),
            // Most self-hosted services have no regions.
            None if endpoint != Some(None) => Some("us-east-1".to_owned()),
            None => vars.needed(S3_REGION, &format!("is missing: {name} names a bucket at Amazon")),
        };
        let is_missing = format!("is missing: {name} names a bucket");
        let access_key_id = vars.needed(S3_ACCESS_KEY_ID, &is_missing);
        let secret_access_key = vars.needed(S3_SECRET_ACCESS_KEY, &is_missing);
        let (bucket, prefix) = address?;
        Some(Self {
            bucket,
            prefix,
            endpoint: endpoint?,
            region: region?,
            access_key_id: access_key_id?,
            secret_access_key: Secret::new(secret_access_key?),
        })
    }
}

/// The bucket and the prefix of `s3://bucket/prefix`, the value of a variable.
fn bucket_of(name: &'static str, text: &str) -> Result<(String, String), ConfigError> {
    let url = Url::parse(text).ok();
    let fits =
        |url: &Url| url.scheme() == "s3" && url.username().is_empty() && url.port().is_none() && url.query().is_none();
    // The text may hold a password.
    let form = || ConfigError::new(name, "is s3://bucket or s3://bucket/prefix");
    let url = url.filter(fits).ok_or_else(form)?;
    Ok((url.host_str().ok_or_else(form)?.to_owned(), url.path().trim_matches('/').to_owned()))
}

fn endpoint(text: &str) -> Result<String, ConfigError> {
    let text = text.trim().trim_end_matches('/');
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() && url.query().is_none() => {
            Ok(text.to_owned())
        }
        _ => Err(ConfigError::new(
            S3_ENDPOINT,
            format!("is the service's address, like https://s3.example, not '{text}'"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(vars: &[(&str, &str)]) -> Result<MediaConfig, String> {
        let vars = Variables::new(vars.iter().copied());
        let read = MediaConfig::read(&vars);
        vars.finish(read).map_err(|error| error.to_string())
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
            assert!(error.starts_with(&format!("{name}: ")) && !error.contains("hush"), "{error}");
        }
        assert_eq!(read(&[bucket]).unwrap_err().lines().count(), 3, "all that is missing is named at once");
    }
}
