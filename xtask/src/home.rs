//! `PITH_HOME`, the data folder, and the settings of an instance.
//!
//! The standard library locks the file; this adds the name of the lock's owner and the settings of `up`.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use crate::checkout::Checkout;

/// The data folder of an instance, and the address at which it is reached.
pub(crate) struct Home {
    dir: PathBuf,
}

impl Home {
    /// Opens `PITH_HOME`, or `var/` in the checkout; creates it when it does not exist.
    pub(crate) fn open(checkout: &Checkout) -> Result<Self> {
        let dir = match std::env::var_os("PITH_HOME") {
            Some(dir) if !dir.is_empty() => std::path::absolute(dir).context("PITH_HOME is not a path")?,
            _ => checkout.root().join("var"),
        };
        Self::at(&dir)
    }

    /// Opens this folder; creates it when it does not exist.
    pub(crate) fn at(dir: &Path) -> Result<Self> {
        fs::create_dir_all(dir).with_context(|| format!("cannot make the data folder {}", dir.display()))?;
        // Without symbolic links: Postgres processes are recognized by this path.
        let dir = dir.canonicalize().with_context(|| format!("cannot enter {}", dir.display()))?;
        Ok(Self { dir })
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The folder of the embedded cluster.
    pub(crate) fn postgres(&self) -> PathBuf {
        self.dir.join("postgres")
    }

    /// Locks the folder for this process until the returned value is dropped, or returns the lock's owner. The
    /// system releases the lock when the process ends in any way.
    pub(crate) fn lock(&self, verb: &str) -> Result<Lock> {
        let path = self.dir.join("lock");
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .with_context(|| format!("cannot open {}", path.display()))?;
        match file.try_lock() {
            Ok(()) => {
                file.set_len(0)?;
                write!(file, "cargo xtask {verb}, process {}", std::process::id())?;
                Ok(Lock::Ours(file))
            }
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                file.rewind()?;
                file.read_to_string(&mut holder)?;
                Ok(Lock::Theirs { holder })
            }
            Err(TryLockError::Error(error)) => Err(error).with_context(|| format!("cannot lock {}", path.display())),
        }
    }
}

/// The owner of the data folder.
pub(crate) enum Lock {
    /// This process, until this value is dropped.
    Ours(#[expect(dead_code, reason = "held, not read")] File),
    /// Another process.
    Theirs {
        /// `cargo xtask up, process 42`
        holder: String,
    },
}

/// Where the server listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// `BIND`
    pub(crate) bind: IpAddr,
    /// `PORT`
    pub(crate) port: u16,
}

impl Address {
    /// Reads `BIND` and `PORT`; the default is 127.0.0.1:4000.
    pub(crate) fn from_env() -> Result<Self> {
        Self::parse(std::env::var("BIND").ok().as_deref(), std::env::var("PORT").ok().as_deref())
    }

    fn parse(bind: Option<&str>, port: Option<&str>) -> Result<Self> {
        let bind = match bind.filter(|text| !text.is_empty()) {
            None => IpAddr::V4(Ipv4Addr::LOCALHOST),
            Some(text) => text.parse().map_err(|_| anyhow!("BIND must be an IP address, not `{text}`"))?,
        };
        let port = match port.filter(|text| !text.is_empty()) {
            None => 4000,
            Some(text) => match text.parse() {
                Ok(port) if port > 0 => port,
                _ => bail!("PORT must be a number from 1 to 65535, not `{text}`"),
            },
        };
        Ok(Self { bind, port })
    }

    /// The socket address for programs on this machine.
    pub(crate) fn local(self) -> SocketAddr {
        let ip = match self.bind {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        SocketAddr::new(ip, self.port)
    }

    /// The URL for a browser on this machine.
    pub(crate) fn url(self) -> String {
        let local = self.local();
        if local.ip().is_loopback() && local.is_ipv4() {
            format!("http://localhost:{}", self.port)
        } else {
            format!("http://{local}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_what_the_variables_say() {
        let address = Address::parse(None, None).unwrap();
        assert_eq!(address.url(), "http://localhost:4000");
        let address = Address::parse(Some("0.0.0.0"), Some("80")).unwrap();
        assert_eq!(address.url(), "http://localhost:80");
        let address = Address::parse(Some("::"), Some("4001")).unwrap();
        assert_eq!(address.url(), "http://[::1]:4001");
    }

    #[test]
    fn a_bad_setting_is_named() {
        for port in ["0", "65536", "http", "-1"] {
            let error = Address::parse(None, Some(port)).unwrap_err().to_string();
            assert!(error.starts_with("PORT must be"), "{error}");
        }
        let error = Address::parse(Some("localhost"), None).unwrap_err().to_string();
        assert!(error.starts_with("BIND must be"), "{error}");
    }

    #[test]
    fn the_folder_is_taken_once_and_let_go_of() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home { dir: dir.path().to_owned() };
        let held = home.lock("up").unwrap();
        assert!(matches!(held, Lock::Ours(_)));
        match home.lock("seed").unwrap() {
            Lock::Theirs { holder } => assert!(holder.starts_with("cargo xtask up, process "), "{holder}"),
            Lock::Ours(_) => panic!("taken twice"),
        }
        drop(held);
        assert!(matches!(home.lock("seed").unwrap(), Lock::Ours(_)));
    }
}
