//! Messages to support over HTTP: the public forms, and the inbox of the back office.

pub(crate) mod back_office;
mod errors;
mod forms;

pub(crate) use forms::configure;
