//! The gateway contract, run on the sandbox and on the providers' doubles.

mod contract;
mod paypal;
mod rig;
mod sandbox;
mod stripe;
