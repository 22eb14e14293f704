//! The memory of password hashes: blocks of 19 MiB that are reused instead of allocated for each hash.
//!
//! An allocator that takes the block of each login from another arena keeps most of them: 2,000 wrong logins grew a
//! process from 150 MB to 3 GB. Reused blocks also save the page faults of new ones.

use std::{
    sync::{
        LazyLock, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::available_parallelism,
};

use argon2::Block;

/// The memory of one hash. Dropping it returns it to the pool.
pub(crate) struct HashMemory {
    blocks: Vec<Block>,
}

impl HashMemory {
    /// Takes memory for `blocks` blocks of 1 KiB: from the pool, or newly allocated.
    pub(crate) fn take(blocks: usize) -> Self {
        POOL.used.store(true, Ordering::Relaxed);
        let kept = POOL.lock().pop();
        let mut blocks_taken = kept.unwrap_or_default();
        blocks_taken.resize(blocks, Block::default());
        Self { blocks: blocks_taken }
    }
}

impl AsMut<[Block]> for HashMemory {
    fn as_mut(&mut self) -> &mut [Block] {
        &mut self.blocks
    }
}

impl Drop for HashMemory {
    fn drop(&mut self) {
        let blocks = std::mem::take(&mut self.blocks);
        let mut kept = POOL.lock();
        if kept.len() < POOL.width {
            kept.push(blocks);
        }
    }
}

/// Memory that no hash uses at the moment. It holds what past hashes have written, which reveals no more than they do.
struct Pool {
    kept: Mutex<Vec<Vec<Block>>>,
    /// The maximum number of pooled memories: one per core, as many hashes as run at once.
    width: usize,
    /// Whether a hash has been made since the pool was last trimmed.
    used: AtomicBool,
}

impl Pool {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Vec<Block>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

static POOL: LazyLock<Pool> = LazyLock::new(|| Pool {
    kept: Mutex::default(),
    width: available_parallelism().map_or(2, std::num::NonZero::get),
    used: AtomicBool::new(false),
});

/// Frees the pooled memory if no hash was made since the last call. Called periodically, it leaves an idle process
/// without that memory.
pub fn trim_hash_memory() {
    if !POOL.used.swap(false, Ordering::Relaxed) {
        *POOL.lock() = Vec::new();
    }
}
