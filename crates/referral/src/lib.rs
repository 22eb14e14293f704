//! Bringing friends: invitations.
