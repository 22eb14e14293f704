//! Reading: positions, the library, ratings, and notices of what has come.

pub mod publication_notices;
pub mod reading;
