//! Connection limits per client.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use kernel::network_of;

/// Counts the connections of each client (an IPv4 address or an IPv6 `/64`), so that one client can't use up the server's.
#[derive(Debug)]
pub struct Connections {
    most: usize,
    held: Mutex<HashMap<String, usize>>,
}

impl Connections {
    /// A limit of `most` connections per client.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, held: Mutex::default() })
    }

    /// A slot for one more connection of this client; `None` when the client has reached its limit.
    pub fn admit(connections: &Arc<Self>, client: IpAddr) -> Option<Slot> {
        let client = network_of(client);
        let mut held = connections.lock();
        let count = held.entry(client.clone()).or_default();
        if *count >= connections.most {
            return None;
        }
        *count += 1;
        Some(Slot(Some((Arc::clone(connections), client))))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One counted connection of a client. Dropping it frees the slot.
#[derive(Debug)]
pub struct Slot(Option<(Arc<Connections>, String)>);

impl Slot {
    /// A slot that counts toward no limit.
    pub const fn unlimited() -> Self {
        Self(None)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let Some((connections, client)) = self.0.take() else { return };
        let mut held = connections.lock();
        if let Some(count) = held.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                held.remove(&client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(connections: &Arc<Connections>, client: &str) -> Option<Slot> {
        Connections::admit(connections, client.parse().unwrap())
    }

    #[test]
    fn a_client_holds_as_many_connections_as_it_may_and_gets_one_back_for_each_that_ends() {
        let connections = Connections::new(2);
        let first = admit(&connections, "203.0.113.9").unwrap();
        let second = admit(&connections, "::ffff:203.0.113.9").unwrap();
        assert!(admit(&connections, "203.0.113.9").is_none());
        assert!(admit(&connections, "203.0.113.10").is_some(), "another client");
        drop(first);
        let third = admit(&connections, "203.0.113.9").unwrap();
        assert!(admit(&connections, "203.0.113.9").is_none());
        drop((second, third));
        assert!(connections.lock().is_empty(), "clients that are gone are not remembered");
    }

    #[test]
    fn an_ipv6_network_is_one_client() {
        let connections = Connections::new(1);
        let _slot = admit(&connections, "2001:db8:1:2::1").unwrap();
        assert!(admit(&connections, "2001:db8:1:2:ffff::9").is_none());
        assert!(admit(&connections, "2001:db8:1:3::1").is_some());
    }
}
