//! Links, invitations and who earns by them.

mod invite;
mod links;
