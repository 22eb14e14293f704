//! Opening, reading and finishing.

mod reading;
