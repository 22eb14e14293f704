//! Memory use of a process that hashes many passwords: in a process of its own, because other tests would change it.
#![cfg(target_os = "linux")]

use std::{
    fs,
    sync::Mutex,
    thread::{self, available_parallelism},
};

use identity::{PasswordHash, trim_hash_memory, verify_password};

/// The number of logins.
const LOGINS: usize = 2_000;
/// The number of threads that share the logins, like the server's blocking threads.
const THREADS: usize = 40;
/// Memory of one hash, in kB.
const HASH: u64 = 19_456;
/// The allowed growth besides the memory of hashes that run at once, in kB.
const MAY_GROW: u64 = 24 * 1024;

/// A hash with production's memory parameters, but one pass instead of two, which halves the test's time.
const STORED: &str =
    "$argon2id$v=19$m=19456,t=1,p=1$R8aa5lOzkmV3f7CSUY8p3g$UhurCy8OUW4yR2x/y65yk/LeYlC95CNCBnH5R3bko8Q";

/// The resident memory of this process, in kB.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn two_thousand_wrong_logins_leave_memory_level() {
    let hash = PasswordHash::from_store(STORED.to_owned());
    let cores = available_parallelism().unwrap().get();
    // As in the server: any thread may hash, and as many at once as there are cores.
    let turns: Vec<Mutex<()>> = (0..cores).map(|_| Mutex::default()).collect();
    let before = resident();
    thread::scope(|scope| {
        for number in 0..THREADS {
            let (hash, turn) = (&hash, &turns[number % cores]);
            scope.spawn(move || {
                for _ in 0..LOGINS / THREADS {
                    let _turn = turn.lock().unwrap();
                    assert!(!verify_password("a wrong password", Some(hash)));
                }
            });
        }
    });
    let grown = resident().saturating_sub(before);
    let running = HASH * u64::try_from(cores).unwrap();
    assert!(grown <= running + MAY_GROW, "the process grew by {grown} kB");

    // The first call finds that there were logins, the second that there were none since.
    trim_hash_memory();
    trim_hash_memory();
    let kept = resident().saturating_sub(before);
    assert!(kept <= MAY_GROW, "an idle process keeps {kept} kB");
}
