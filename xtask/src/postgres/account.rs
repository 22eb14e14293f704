//! The account that Postgres runs under. It refuses to run as root, so root runs it as `nobody`.
//!
//! `initdb` and `postgres` refuse root, and none of their tools changes the account; `setpriv` does.

use std::fs;
use std::os::unix::fs::chown;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::tools;

/// The account that `initdb` and `postgres` run under.
#[derive(Clone, Debug)]
pub(super) enum Account {
    /// This process's account.
    Own,
    /// For root.
    Nobody {
        uid: u32,
        gid: u32,
        /// The capability that lets it traverse folders that only root may enter (a checkout in /root): the weakest that this
        /// system allows us to pass on, or none.
        capability: Option<&'static str>,
    },
}

impl Account {
    /// Chooses the account for the programs in `bin`.
    pub(super) fn choose(bin: &Path) -> Result<Self> {
        if !rustix::process::geteuid().is_root() {
            return Ok(Self::Own);
        }
        let Some((uid, gid)) = fs::read_to_string("/etc/passwd").ok().and_then(|text| nobody_in(&text)) else {
            bail!("Postgres does not run as root and this system has no account `nobody`: start as another user");
        };
        if !tools::has("setpriv") {
            bail!("Postgres does not run as root: start as another user, or install `setpriv` (package util-linux)");
        }
        let initdb = bin.join("initdb");
        // Containers often withhold the first one.
        for capability in [Some("dac_read_search"), Some("dac_override"), None] {
            let account = Self::Nobody { uid, gid, capability };
            if finds_itself(account.command(&initdb).arg("--version")) {
                return Ok(account);
            }
        }
        bail!("the account `nobody` cannot run {}: move the checkout to where every user may read it", initdb.display())
    }

    /// A command that runs under this account.
    pub(super) fn command(&self, program: &Path) -> Command {
        match self {
            Self::Own => Command::new(program),
            Self::Nobody { .. } => {
                let mut command = Command::new("setpriv");
                command.args(self.switches()).arg(program);
                command
            }
        }
    }

    /// Like [`Self::command`], but the program gets `signal` when this process dies without ending it, if the
    /// system supports that.
    pub(super) fn bound_command(&self, program: &Path, signal: &str) -> Command {
        if !tools::has("setpriv") {
            return self.command(program);
        }
        let mut command = Command::new("setpriv");
        command.args(self.switches()).args(["--pdeathsig", signal]).arg(program);
        command
    }

    fn switches(&self) -> Vec<String> {
        let Self::Nobody { uid, gid, capability } = self else {
            return Vec::new();
        };
        let mut switches = vec![format!("--reuid={uid}"), format!("--regid={gid}"), "--clear-groups".to_owned()];
        if let Some(capability) = capability {
            // Postgres calls access(2) on its own programs, which ignores a capability unless this is set.
            switches.push("--securebits=+no_setuid_fixup".to_owned());
            switches.push(format!("--inh-caps=-all,+{capability}"));
            switches.push(format!("--ambient-caps=-all,+{capability}"));
        }
        switches
    }

    /// Gives this account the ownership of a file or folder.
    pub(super) fn own(&self, path: &Path) -> Result<()> {
        match self {
            Self::Own => Ok(()),
            Self::Nobody { uid, gid, .. } => {
                chown(path, Some(*uid), Some(*gid)).with_context(|| format!("cannot give {} to nobody", path.display()))
            }
        }
    }
}

/// Whether one of Postgres's programs starts and can reach its own folder; if not, it prints a warning and continues.
fn finds_itself(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).output().is_ok_and(|output| output.status.success() && output.stderr.is_empty())
}

/// The uid and gid of `nobody`, from the text of /etc/passwd.
fn nobody_in(passwd: &str) -> Option<(u32, u32)> {
    let line = passwd.lines().find(|line| line.starts_with("nobody:"))?;
    let mut fields = line.split(':').skip(2);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_found() {
        let text = "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65533:nobody:/:/usr/sbin/nologin\n";
        assert_eq!(nobody_in(text), Some((65534, 65533)));
        assert_eq!(nobody_in("root:x:0:0:root:/root:/bin/sh"), None);
    }
}
