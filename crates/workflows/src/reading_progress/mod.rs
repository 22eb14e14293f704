//! Reading: positions, the library, ratings, the daily goal, the year, and publication notices.

pub mod goal;
pub mod publication_notices;
pub mod reading;
pub mod year;
