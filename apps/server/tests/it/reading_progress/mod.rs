//! Opening, reading and finishing, the daily goal and the year.

mod goal;
mod reading;
