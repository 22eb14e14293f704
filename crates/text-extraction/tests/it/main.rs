//! Documents of every kind, including malicious and unusual ones, all built here; and the processes that read them.

mod files;
mod hostile;
mod processes;
mod readable;
