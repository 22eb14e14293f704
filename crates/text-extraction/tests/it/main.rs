//! Documents of every kind, hostile and odd ones among them; each is made here.

mod files;
mod hostile;
mod readable;
