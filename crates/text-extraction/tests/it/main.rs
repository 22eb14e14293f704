//! Documents of every kind, hostile and odd ones among them, each made here; and the processes that read them.

mod files;
mod hostile;
mod processes;
mod readable;
